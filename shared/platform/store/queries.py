"""What the store asks its database, put into words once: building a query costs as much as it does.

Their parameters are bound by name; `limit` and `upto` are always given.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, func, select

from shared.platform.store.tables import (
    cursors,
    log_index,
    private,
    receipts,
    records,
    secrets,
    traces,
)

ALL: Final = 2**31 - 1
"""A limit, or a last version, that is never reached."""

RECEIPT: Final = select(receipts).where(
    receipts.c.principal == bindparam("principal"),
    receipts.c.command_id == bindparam("command_id"),
)

RECORDS: Final = (
    select(records.c.version, records.c.type, records.c.body, records.c.hash)
    .where(records.c.stream == bindparam("stream"), records.c.version > bindparam("after"))
    .order_by(records.c.version)
    .limit(bindparam("limit"))
)

SECRETS: Final = (
    select(secrets)
    .where(
        secrets.c.stream == bindparam("stream"),
        secrets.c.version > bindparam("after"),
        secrets.c.version <= bindparam("upto"),
    )
    .order_by(secrets.c.version, secrets.c.number)
)

LOG: Final = (
    select(
        log_index.c.position,
        records.c.stream,
        records.c.version,
        records.c.type,
        records.c.body,
        records.c.hash,
    )
    .join(records, records.c.row_id == log_index.c.row_id)
    .where(log_index.c.position > bindparam("after"))
    .order_by(log_index.c.position)
    .limit(bindparam("limit"))
)

LOG_OF_STREAM: Final = LOG.where(records.c.stream == bindparam("stream"))

LAST_POSITION: Final = select(func.coalesce(func.max(log_index.c.position), 0))

PRIVATE: Final = select(private.c.value).where(private.c.key == bindparam("key"))

TRACES: Final = select(traces).where(traces.c.hash.in_(bindparam("hashes", expanding=True)))

CURSOR: Final = select(cursors.c.position).where(cursors.c.name == bindparam("name"))
