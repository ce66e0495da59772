"""Style, formatting, types and JavaScript are checked in tests, beside the others."""

import subprocess

import pytest

import dev
from ui.files import ASSETS

CHECKS = ("ruff check", "ruff format", "mypy", "eslint and tsc")


def clean(*command):
    """Assert that a check has nothing to say."""
    done = subprocess.run(command, cwd=dev.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", CHECKS)
def test_the_project_is_clean(name):
    commands = dev.checks()
    if name not in commands:
        pytest.skip("Node.js is not installed, or too old; the JavaScript is not checked.")
    clean(*commands[name])


@pytest.mark.parametrize("name", ["stage", "rooms", "edition"])
def test_bundles_are_made_of_their_modules(tmp_path, name):
    npm = dev.node_packages()
    if not npm:
        pytest.skip("Node.js is not installed, or too old; the bundles are not made anew.")
    clean(npm, "run", "--silent", name, "--", f"--outdir={tmp_path}")
    bundles = [*tmp_path.iterdir()]
    assert bundles
    is_same = all(each.read_bytes() == (ASSETS / each.name).read_bytes() for each in bundles)
    assert is_same, "npm run build, and commit what it makes"


def test_no_check_is_forgotten():
    assert {*dev.checks()} <= {*CHECKS}


def test_what_is_not_clean_is_quoted(tmp_path):
    (tmp_path / "unclean.py").write_text("import os\n")
    ruff, *_ = dev.checks()["ruff check"]
    with pytest.raises(AssertionError, match="F401"):
        clean(ruff, "-m", "ruff", "check", "--no-cache", "--isolated", tmp_path)
