"""The tables of scoring, for reading. All of it can be made again from the rules' log.

`live_records` keeps the public records of running matches only; the closing record brings all
that the final count needs. In `result_seats`, `counted` is the one seat by which an account takes
part in its ratings and statistics.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

SCHEMA_TABLE = "scoring_schema"

metadata = MetaData()

progress = Table(
    "progress",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("epoch", Text, nullable=False),
    Column("position", BigInteger, nullable=False),
)

live_records = Table(
    "live_records",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("hash", Text, nullable=False),
)

sheets = Table(
    "sheets",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("final", Boolean, nullable=False),
    Column("agreement", Text, nullable=False),
    Column("problem", Text, nullable=False),
    Column("seats", LargeBinary, nullable=False),
    Column("lines", LargeBinary, nullable=False),
    Column("standings", LargeBinary, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("position", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("finished_at", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("agreement", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Index("results_by_position", "position", unique=True),
)

result_seats = Table(
    "result_seats",
    metadata,
    Column("match_id", Text, ForeignKey("results.match_id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("account", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("resigned", Boolean, nullable=False),
    Column("counted", Boolean, nullable=False),
    Index("result_seats_by_account", "account", "match_id"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("ordinal", Double, nullable=False),
    Column("matches", BigInteger, nullable=False),
    Index("ratings_by_ordinal", "game", "ordinal", "account"),
)

dead_letters = Table(
    "dead_letters",
    metadata,
    Column("position", BigInteger, primary_key=True),
    Column("stream", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("problem", Text, nullable=False),
)

FOLDED = (live_records, sheets, result_seats, results, ratings, dead_letters)
"""What a rebuild empties, in an order that foreign keys allow."""
