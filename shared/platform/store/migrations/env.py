"""Runs the store's migrations inside the transaction of the connection it is handed."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table="store_schema",
    transactional_ddl=True,
)
context.run_migrations()
