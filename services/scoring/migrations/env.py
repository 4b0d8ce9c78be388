"""Runs scoring's migrations inside the transaction of the connection it is handed."""

from __future__ import annotations

from alembic import context

from services.scoring.tables import SCHEMA_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=SCHEMA_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
