"""Make the secrets of a container deployment, once: `make secrets`.

Writes `.env` (passwords and public keys that docker-compose.yml asks for) and `deploy/secrets/`
(what is mounted into the services). Neither belongs in git. Tokens of players are signed by an
issuer made here; an operator with a sign-in of their own puts its `iss` into `.env` and its public
keys into `deploy/secrets/issuer.jwks.json`.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

import nkeys

from shared.platform.rpc.issuer import ISSUER, LocalIssuer

DATABASES = ("lobby", "rules", "scoring")
BUS_USERS = ("lobby", "rules", "scoring")
ROLES = {"lobby": "service", "rules": "service", "scoring": "service", "bots": "bots"}
TEN_YEARS = 10 * 365 * 86_400.0


def make_secrets(root: Path) -> None:
    """Write everything below `root`; refuses to replace what a running system may depend on."""
    env, folder = root / ".env", root / "deploy" / "secrets"
    if env.exists() or folder.exists():
        raise FileExistsError(
            f"{env.name} or deploy/secrets is there already. The databases know these passwords:"
            " remove both only together with the volumes (docker compose down --volumes)"
        )
    folder.mkdir(mode=0o755, parents=True)
    lines = [f"TALLY_ISSUER={ISSUER}", f"POSTGRES_PASSWORD={secrets.token_hex(24)}"]
    lines += [f"{name.upper()}_DATABASE_PASSWORD={secrets.token_hex(24)}" for name in DATABASES]
    for name in BUS_USERS:
        seed = nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)
        _write(folder / f"{name}.nkey", seed.decode())
        lines.append(f"{name.upper()}_NKEY={nkeys.from_seed(bytearray(seed)).public_key.decode()}")
    issuer = LocalIssuer(folder)
    for name, role in ROLES.items():
        _write(folder / f"{name}.token", issuer.issue(f"service:{name}", [role], TEN_YEARS))
    env.touch(0o600)
    env.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write(path: Path, text: str) -> None:
    """A container reads its secrets as an account this machine does not know, so all may read.

    What keeps them from others is the machine: the folder must be out of their reach.
    """
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)


def main() -> int:
    """Make them in this checkout."""
    try:
        make_secrets(Path(__file__).resolve().parents[1])
    except FileExistsError as error:
        print(error, file=sys.stderr)
        return 1
    print("Made .env and deploy/secrets/. Now: docker compose up --build")
    return 0


if __name__ == "__main__":
    sys.exit(main())
