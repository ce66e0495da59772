"""No link can take the server: a page at its most expensive settings is refused, sampled, stopped or complete."""

import json
import subprocess
import sys

import pytest

import ui.compute
from tests.visit import ROOT, technique
from ui.catalogue import CATALOGUE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is bounded as Linux does it")
GROUPS = 2  # processes that share the pages, because each has to import everything
SLUGS = list(CATALOGUE)


@pytest.mark.parametrize("slugs", [SLUGS[i::GROUPS] for i in range(GROUPS)], ids=" ".join)
def test_the_most_expensive_settings_of_a_page_end_within_their_budget(slugs):
    command = [sys.executable, "-m", "tests.contract.costly", *slugs]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(run["slug"], run["method"]) for run in found} == {
        (slug, method) for slug in slugs for method in technique(slug).methods
    }
    seconds = ui.compute.PATIENCE + ui.compute.DEADLINE + 2 * ui.compute.ANSWER
    for run in found:
        assert run["wrong"] == "", run
        assert run["seconds"] <= seconds + 1, run  # after its budget nothing goes on


def test_the_budgets_are_those_that_are_promised():
    assert ui.compute.PATIENCE + ui.compute.DEADLINE + ui.compute.ANSWER <= 5.0
