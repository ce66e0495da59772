"""At its most expensive settings a page is refused, sampled, stopped or complete."""

import json
import subprocess
import sys
from tempfile import TemporaryFile

import pytest

import dashboard.runs
from dashboard.catalogue import CATALOGUE
from tests.visit import ROOT, technique

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="the memory of a process is bounded as Linux does it"
)


@pytest.fixture(scope="module")
def costly():
    """Return a function that opens pages in one process of its own, because it imports a lot."""
    command = [sys.executable, "-m", "tests.contract.costly"]
    with (
        TemporaryFile("w+") as log,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            bufsize=1,
        ) as process,
    ):

        def ask(slug):
            process.stdin.write(f"{slug}\n")
            if line := process.stdout.readline():
                return json.loads(line)
            log.seek(0)
            pytest.fail(f"The process has ended.\n{log.read()[-3000:]}")

        yield ask
        process.stdin.close()


@pytest.mark.sweep
@pytest.mark.parametrize("slug", CATALOGUE)
def test_the_most_expensive_settings_of_a_page_end_within_their_budget(slug, costly):
    outcomes = costly(slug)
    assert {run["method"] for run in outcomes} == set(technique(slug).methods)
    seconds = dashboard.runs.PATIENCE + dashboard.runs.DEADLINE + 2 * dashboard.runs.ANSWER
    for run in outcomes:
        assert run["wrong"] == "", run
        assert run["seconds"] <= seconds + 1, run  # after its budget nothing goes on


def test_the_budgets_are_those_that_are_promised():
    assert dashboard.runs.PATIENCE + dashboard.runs.DEADLINE + dashboard.runs.ANSWER <= 5.0
