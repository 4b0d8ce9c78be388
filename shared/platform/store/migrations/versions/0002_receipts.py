"""Receipts by stream: those of a stream that is closed can be found, and forgotten."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index."""
    op.get_bind().exec_driver_sql("CREATE INDEX receipts_of_stream ON receipts (stream)")
