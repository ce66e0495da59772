"""Fixtures of all tests: no outcome depends on speed, one process works on one technique."""

import gc

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from dashboard import runs
from dashboard.opening import opening_of
from tests.depths import ALL, QUICK, Depth, technique_of, words_of

# The same examples everywhere: what passes here passes on the next machine.
settings.register_profile(
    "dmlib",
    deadline=None,
    max_examples=50,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("dmlib")


FILES_OF_FIRST_BROWSER = ("test_pages", "test_drawing")  # about half of the browser's seconds


class ByTechnique(LoadScopeScheduling):
    """A scheduler that gives all tests of one technique to one process, which computes once.

    The browser's tests are two groups, each with a server and a browser of its own.

    The groups are read from the tests' names, because pytest 9.2 does not let pytest-xdist 3.8
    write ``xdist_group`` marks into them (its issue 1386).
    """

    def _split_scope(self, nodeid):
        _, folder, file, *_ = words_of(nodeid)
        if folder == "browser":
            return "browser 1" if file in FILES_OF_FIRST_BROWSER else "browser 2"
        if folder == "engine":  # one cluster, started once
            return folder
        return technique_of(nodeid) or nodeid


def pytest_addoption(parser):
    parser.addoption(
        "--depth",
        choices=(QUICK, ALL),
        help="what `python3 dev.py test` runs, without and with --all",
    )


def pytest_configure(config):
    if config.getoption("depth") is not None:
        config.pluginmanager.register(Depth(config))


def pytest_collection_modifyitems(items):
    """Begin with what takes longest in one piece: the browser, and the checks."""
    places = {"browser": 0, "test_checks": 1}
    items.sort(
        key=lambda item: next(
            (places[word] for word in words_of(item.nodeid)[1:2] if word in places), 2
        )
    )


def pytest_collection_finish():
    """Keep modules and collected tests from the garbage collector (docs/decisions/0003)."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Start with the browser and the techniques, by their folders; single tests come last."""
    config.option.loadscopereorder = False
    return ByTechnique(config, log)


class Clock:
    """A clock that is moved by hand, or by ``step`` seconds at each look."""

    def __init__(self):
        self.time = 0.0
        self.step = 0.0

    def __call__(self):
        self.time += self.step
        return self.time


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The clock that the app's runs look at."""
    clock = Clock()
    monkeypatch.setattr(runs, "CLOCK", lambda: clock)
    return clock


@pytest.fixture(autouse=True)
def _nobody_was_here_before():
    """No test finds what visitors of another one have shared."""
    opening_of.cache_clear()
