"""One server and one browser for all browser tests; a fresh visitor for each."""

import pytest

from tests.browser.running import NotRunningError, Server, chromium
from tests.browser.stage import Stage

SIZE = {"width": 1366, "height": 768}


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
    if worker_id != "master":  # fails where a second process drives a browser: see tests/conftest.py
        (tmp_path_factory.getbasetemp().parent / "browser").mkdir()
    try:
        with chromium() as running:
            yield running
    except NotRunningError as problem:
        pytest.fail(str(problem), pytrace=False)


@pytest.fixture
def visitor(server, browser):
    """Return a function that gives a new visitor, in a browser context of its own."""
    contexts = []
    visitors = []

    def arrive(address=server.address, **options):
        context = browser.new_context(**{"viewport": SIZE, "accept_downloads": True} | options)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        visitors.append(Stage(context.new_page(), address))
        return visitors[-1]

    yield arrive
    for context in contexts:
        context.close()
    assert [error for stage in visitors for error in stage.errors] == []


@pytest.fixture(scope="module")
def shared_context(server, browser):
    """A context for visitors who leave nothing behind; a tab that stays open keeps its process."""
    context = browser.new_context(viewport=SIZE, accept_downloads=True)
    context.new_page().goto(f"{server.address}/_stcore/health")
    yield context
    context.close()


@pytest.fixture
def tab(server, shared_context):
    """A new tab of the file's context: what V8 has compiled is there, what the visitor before has stored is not."""
    stage = Stage(shared_context.new_page(), server.address)
    yield stage
    stage.page.close()
    shared_context.clear_cookies()
    shared_context.pages[0].evaluate("() => localStorage.clear()")
    assert stage.errors == []


@pytest.fixture
def stage(visitor):
    """A visitor who has not opened anything yet."""
    return visitor()


@pytest.fixture(scope="module")
def modules(server, browser):
    context = browser.new_context()
    page = context.new_page()
    # The first visit of a page with a stage lets the server know its files.
    Stage(page, server.address).open("kmeans")
    yield page
    context.close()
