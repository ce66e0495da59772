"""Two depths of the tests (docs/decisions/0028): the sweeps of each, and the report at the end."""

from __future__ import annotations

import re
import time
from collections import Counter
from itertools import filterfalse

import pytest

from dashboard.catalogue import CATALOGUE
from tests import sweeps

QUICK, ALL = "quick", "all"
SLOWEST = 10  # files that are named at the end
RECORD = "dmlib/sweeps"  # in pytest's own cache, which git ignores


def words_of(nodeid: str) -> list[str]:
    """Return the words of a test's name."""
    return re.findall(r"\w+", nodeid)


def technique_of(nodeid: str) -> str | None:
    """Return the technique that a test is about, by its name."""
    return next((word for word in words_of(nodeid) if word in CATALOGUE), None)


class Depth:
    """Deselects the sweeps that are not of this depth, and says at the end which these were.

    The process that starts the others decides; they are told, so that all of them collect the same
    tests.
    """

    def __init__(self, config: pytest.Config):
        self.cache = getattr(config, "cache", None)
        self.input = getattr(config, "workerinput", None)
        self.output = getattr(config, "workeroutput", None)
        self.n_left_out = 0
        self.seconds: Counter[str] = Counter()
        self.n_tests: Counter[str] = Counter()
        self.sweep_seconds: Counter[str] = Counter()
        self.failed: set[str] = set()
        if self.input is not None:
            self.chosen, self.left_out = self.input["sweeps"]
        elif config.getoption("depth") == ALL:
            self.chosen, self.left_out = sorted(sweeps.ALL), []
        else:
            candidates = sweeps.differing()
            self.chosen, self.left_out = sweeps.choose(candidates, self.record, sweeps.commit())
            self.left_out += sorted(sweeps.ALL - candidates)

    @property
    def record(self) -> dict[str, list[float]]:
        return self.cache.get(RECORD, {}) if self.cache is not None else {}

    def sweep(self, nodeid: str) -> str:
        return technique_of(nodeid) or sweeps.SHARED

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput["sweeps"] = (list(self.chosen), list(self.left_out))

    def pytest_collection_modifyitems(self, config, items):
        def is_left_out(item):
            return item.get_closest_marker("sweep") and self.sweep(item.nodeid) not in self.chosen

        left_out = list(filter(is_left_out, items))
        items[:] = filterfalse(is_left_out, items)
        config.hook.pytest_deselected(items=left_out)
        self.n_left_out = len(left_out)
        if self.output is not None:
            self.output["n_left_out"] = self.n_left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self.n_left_out = getattr(node, "workeroutput", {}).get("n_left_out", self.n_left_out)

    def pytest_runtest_logreport(self, report):
        file = report.nodeid.partition("::")[0]
        self.seconds[file] += report.duration
        self.n_tests[file] += report.when == "call"
        if "sweep" in report.keywords:
            slug = self.sweep(report.nodeid)
            self.sweep_seconds[slug] += report.duration
            if report.failed:
                self.failed.add(slug)

    def pytest_sessionfinish(self):
        """Remember whose sweeps were run; one that failed stays the oldest."""
        if self.cache is None or self.input is not None:
            return
        passed = self.sweep_seconds.keys() - self.failed
        ran = {slug: [time.time(), round(self.sweep_seconds[slug], 1)] for slug in passed}
        self.cache.set(RECORD, self.record | ran)

    def pytest_terminal_summary(self, terminalreporter):
        say = terminalreporter.write_line
        terminalreporter.section("left out")
        if self.left_out:
            say(f"{self.n_left_out} tests: the sweeps of {', '.join(self.left_out)}.")
            say("`python3 dev.py test --all` runs them too.")
        else:
            say("Nothing: the sweeps of all techniques were run.")
        if self.left_out and self.sweep_seconds:
            say(f"Swept: {', '.join(sorted(self.sweep_seconds))}.")
        terminalreporter.section("slowest files")
        for file, seconds in self.seconds.most_common(SLOWEST):
            say(f"{seconds:8.1f} s  {file} ({self.n_tests[file]} tests)")
