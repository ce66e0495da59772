"""Style, formatting, types and JavaScript are checked in tests, beside the others."""

import subprocess

import pytest

import dev
from ui.files import ASSETS, SCRIPT

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


def test_the_bundle_of_the_stage_is_made_of_its_modules(tmp_path):
    npm = dev.node_packages()
    if not npm:
        pytest.skip("Node.js is not installed, or too old; the bundle is not made anew.")
    bundle = tmp_path / SCRIPT
    clean(npm, "run", "--silent", "build", "--", f"--outfile={bundle}")
    is_same = bundle.read_bytes() == (ASSETS / SCRIPT).read_bytes()
    assert is_same, "npm run build, and commit what it makes"


def test_no_check_is_forgotten():
    assert {*dev.checks()} <= {*CHECKS}


def test_what_is_not_clean_is_quoted(tmp_path):
    (tmp_path / "unclean.py").write_text("import os\n")
    ruff, *_ = dev.checks()["ruff check"]
    with pytest.raises(AssertionError, match="F401"):
        clean(ruff, "-m", "ruff", "check", "--no-cache", "--isolated", tmp_path)
