"""The library installed alone: its wheel in a fresh environment, without the app."""

import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IMPORT_ALL = """
import pkgutil, sys
import dmlib
for module in pkgutil.walk_packages(dmlib.__path__, "dmlib."):
    __import__(module.name)
assert "streamlit" not in sys.modules
assert "site-packages" in dmlib.__file__, dmlib.__file__
"""
LOAD_ALL = """
from dmlib.datasets import LIBRARY, load
for name in LIBRARY:
    load(name)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Return the Python of a fresh environment with the wheel of the library."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    subprocess.run([*pip, "wheel", "--no-deps", "-w", folder, ROOT], check=True)
    (wheel,) = folder.glob("dmlib-*.whl")
    pins = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if "==" in line]
    (folder / "pins.txt").write_text("\n".join(pins))
    venv.create(folder / "environment", with_pip=False)
    place = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    executable = folder / "environment" / place
    install = ("--python", executable, "install", "-c", folder / "pins.txt", wheel)
    subprocess.run([*pip, *install], check=True)
    return executable


def run(python, source, folder):
    subprocess.run([python, "-W", "error::ImportWarning", "-c", source], cwd=folder, check=True)


@pytest.mark.sweep  # it installs some 20 packages
def test_every_module_can_be_imported(python, tmp_path):
    run(python, IMPORT_ALL, tmp_path)


@pytest.mark.sweep
def test_every_data_set_can_be_loaded(python, tmp_path):
    run(python, LOAD_ALL, tmp_path)


@pytest.mark.sweep
def test_the_snippets_of_the_readme_run(python, tmp_path):
    readme = (ROOT / "README.md").read_text("utf-8")
    snippets = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(snippets) == 2
    for snippet in snippets:
        run(python, snippet, tmp_path)
