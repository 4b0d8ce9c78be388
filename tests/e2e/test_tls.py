"""A whole system that speaks TLS only: the services among themselves, bots, and the command."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.product import tally_up
from tests.platform.certificates import Authority


def test_a_match_is_played_over_tls_from_end_to_end(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("everything")
    with tally_up(
        tmp_path / "data",
        TALLY_TLS_CERTIFICATE_FILE=str(pair.certificate),
        TALLY_TLS_KEY_FILE=str(pair.key),
        TALLY_TLS_CA_FILE=str(authority.file),
    ) as up:
        # The match of welcome: started by the lobby, played by bots, scored, exported, proved.
        assert (tmp_path / "data" / "first-match").read_text().strip() in up.printed()
        known = up.run("tables", "--json", "--ca-file", str(authority.file))
        assert known.returncode == 0, known.stderr
        in_the_clear = up.run("tables", "--json")
        assert in_the_clear.returncode == 1
        assert "--ca-file" in in_the_clear.stderr
        stranger = Authority(tmp_path / "elsewhere")
        assert up.run("tables", "--ca-file", str(stranger.file)).returncode == 1
        nothing = tmp_path / "empty.pem"
        nothing.write_text("")
        refused = up.run("tables", "--ca-file", str(nothing))
        assert "holds no certificate in PEM form" in refused.stderr
