"""The scripts of ``examples/`` run, without a warning, and say what they promise."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXPECTED = {
    "arithmetic_of_a_step": "SSE = 2.5 + 2.5 = 5",
    "read_a_messy_file": "The commas in 'mass' were read as decimal points.",
    "rules_of_baskets": "sugar -> coffee and milk: lift 4.25",
    # scikit-learn's KMeans(3).fit(iris.data).inertia_
    "steps_of_kmeans": "done         7   78.856",
}


def test_each_example_is_tried():
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_runs(name):
    done = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "examples" / f"{name}.py"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert not done.returncode, done.stderr
    assert EXPECTED[name] in done.stdout


def test_the_version_is_written_once():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert "version" in project["project"]["dynamic"]
