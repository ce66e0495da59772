"""Without Streamlit's insides and all that makes answers quick, the app is slower and as right."""

import pytest

from tests.browser.running import Server
from ui.switches import LATENCY, PRIVATE, VARIABLE

pytestmark = pytest.mark.browser

LINK = {"source": "generator", "generator": "moons", "seed": 4, "step": 3}


@pytest.fixture(scope="module")
def slow_server():
    with Server(**{VARIABLE: ",".join(PRIVATE | LATENCY)}) as running:
        yield running
        log = running.log
    assert "Error" not in log, log


def walk(visitor, address):
    """Open a page by a link and move its slider; return what it shows before and after."""
    stage = visitor(address).open("kmeans", **LINK)
    seen = [(stage.state(), stage.ledger)]
    stage.slider("Clusters k").press("ArrowRight")
    stage.page.wait_for_url("**n_clusters=4**")
    stage.settle()
    seen.append((stage.state(), stage.ledger))
    return seen


def test_a_page_shows_the_same(server, slow_server, visitor):
    assert walk(visitor, slow_server.address) == walk(visitor, server.address)
