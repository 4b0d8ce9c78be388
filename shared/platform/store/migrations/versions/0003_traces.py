"""Traces: which traced command caused a record that is still on its way to the bus."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table. Losing it loses no more than a line in a graph, so it is not logged."""
    unlogged = "" if op.get_bind().dialect.name == "sqlite" else "UNLOGGED"
    op.get_bind().exec_driver_sql(
        f"CREATE {unlogged} TABLE traces (hash TEXT PRIMARY KEY, traceparent TEXT NOT NULL)"
    )
