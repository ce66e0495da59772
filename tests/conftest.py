"""For all tests: no outcome hangs on speed, and the work of one technique is done by one process."""

import pytest
from hypothesis import HealthCheck, settings

from ui import compute
from ui.catalogue import CATALOGUE

# The same examples everywhere: what passes here passes on the next machine.
settings.register_profile(
    "dmlib", deadline=None, max_examples=50, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dmlib")


def pytest_collection_modifyitems(items):
    """Give what concerns one technique to one process: it then computes what several tests look at only once."""
    for item in items:
        if slug := technique_of(item):
            item.add_marker(pytest.mark.xdist_group(slug))


def technique_of(item):
    """Return the technique of a test, by its folder or by a parameter; None for what concerns all."""
    if item.get_closest_marker("browser"):  # one process has the browser, for all of them
        return None
    if item.path.parent.name in CATALOGUE:
        return item.path.parent.name
    params = item.callspec.params.values() if hasattr(item, "callspec") else ()
    words = (word for value in params for word in (value if isinstance(value, tuple) else (value,)))
    return next((word for word in words if isinstance(word, str) and word in CATALOGUE), None)


class Clock:
    """A clock that is moved by hand, or by ``step`` seconds at each look."""

    def __init__(self):
        self.now = 0.0
        self.step = 0.0

    def __call__(self):
        self.now += self.step
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The clock that the app's runs look at."""
    clock = Clock()
    monkeypatch.setattr(compute, "CLOCK", lambda: clock)
    return clock
