"""Who may call what. Every RPC has a policy, or the server does not start."""

from __future__ import annotations

from dataclasses import dataclass

from shared.platform.rpc.auth import SEND_A_TOKEN, Principal
from shared.platform.rpc.errors import PermissionDenied, Unauthenticated


@dataclass(frozen=True, slots=True)
class Policy:
    """Which callers an RPC admits: anyone, any account, or accounts with one of some roles."""

    anonymous: bool = False
    roles: frozenset[str] = frozenset()

    def admit(self, caller: Principal) -> None:
        """Raise unless the caller may call at all; what it may see and do is the service's part."""
        if not caller.account:
            if not self.anonymous:
                raise Unauthenticated("TOKEN_MISSING", SEND_A_TOKEN)
        elif self.roles and not self.roles & caller.roles:
            needed = " or ".join(sorted(self.roles))
            raise PermissionDenied("ROLE_MISSING", f"this call needs the role {needed}")


PUBLIC = Policy(anonymous=True)
ACCOUNT = Policy()


def role(*names: str) -> Policy:
    """Accounts that have at least one of these roles."""
    return Policy(roles=frozenset(names))


class MissingPolicy(Exception):
    """A server was given an RPC without a policy, or a policy without an RPC."""
