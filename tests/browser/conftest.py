"""One server and one browser for a process's browser tests; a new visitor for each."""

import pytest

from tests.browser.running import NotRunningError, Server, chromium
from tests.browser.stage import Stage
from tests.browser.visits import PERMISSIONS, SIZE, visits


@pytest.fixture(scope="session")
def server():
    try:
        with Server() as running:
            yield running
            log = running.log
    except NotRunningError as problem:
        pytest.fail(str(problem), pytrace=False)
    assert "Traceback" not in log, log


@pytest.fixture(scope="session")
def browser(tmp_path_factory, worker_id):
    if worker_id != "master":
        folder = tmp_path_factory.getbasetemp().parent
        (folder / f"browser of {worker_id}").mkdir()
        assert len([*folder.glob("browser of *")]) <= 2, "see tests/conftest.py"
    try:
        with chromium() as running:
            yield running
    except NotRunningError as problem:
        pytest.fail(str(problem), pytrace=False)


@pytest.fixture
def visitor(server, browser):
    """Return a function that gives a stranger: a visitor in a browser context of its own."""
    contexts = []
    visitors = []

    def arrive(address=server.address, **options):
        context = browser.new_context(**{"viewport": SIZE, "accept_downloads": True} | options)
        context.grant_permissions(PERMISSIONS)
        contexts.append(context)
        visitors.append(Stage(context.new_page(), address))
        return visitors[-1]

    yield arrive
    for context in contexts:
        context.close()
    assert [error for stage in visitors for error in stage.errors] == []


@pytest.fixture(scope="module")
def shared_context(browser):
    """The browser context of the visitors of a file who come one after the other."""
    context = browser.new_context(viewport=SIZE, accept_downloads=True)
    yield context
    context.close()


@pytest.fixture
def tabs(server, shared_context):
    """Return a function that opens a tab for a visitor, with the code that V8 has compiled."""
    with visits(shared_context, server.address) as arrive:
        yield arrive


@pytest.fixture
def stage(tabs):
    """A visitor who has not opened anything yet."""
    return tabs()


@pytest.fixture(scope="module")
def modules(server, browser):
    context = browser.new_context()
    page = context.new_page()
    # The first visit of a page with a stage lets the server know its files.
    Stage(page, server.address).open("kmeans")
    yield page
    context.close()
