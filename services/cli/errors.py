"""What a command says when it cannot do what was asked."""

from __future__ import annotations


class CliError(Exception):
    """Shown as one plain message, without a traceback; the command exits with 1."""
