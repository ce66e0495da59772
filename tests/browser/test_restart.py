"""The server is killed and started again: the page comes back from its link."""

import pytest
from playwright.sync_api import expect

from tests.browser.running import Server, free_port
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

LINK = {"source": "generator", "generator": "moons", "seed": 4, "kmeans.n_clusters": 4, "step": 3}


def test_a_page_comes_back_from_its_link(browser):
    port = free_port()
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    with Server(port=port) as server:
        stage = Stage(context.new_page(), server.address).open("kmeans", **LINK)
        before, url = (stage.state(), stage.ledger), stage.page.url
        server.process.kill()
        server.process.wait()
    lost = stage.conversation
    with Server(port=port) as server:
        # The browser finds the new server by itself.
        stage.reconnected(lost)
        expect(stage.page.get_by_test_id("stConnectionStatus")).to_have_count(0)
        assert (stage.state(), stage.ledger) == before
        for key, link in (("ArrowRight", "**n_clusters=5**"), ("ArrowLeft", "**n_clusters=4**")):
            stage.slider("Clusters k").press(key)
            stage.page.wait_for_url(link)
            stage.settle()
        assert (stage.state(), stage.ledger) == before
        stage.page.reload()
        stage.root.wait_for()
        stage.settle()
        assert stage.page.url == url
        assert (stage.state(), stage.ledger) == before
        assert "Traceback" not in server.log
    context.close()


def test_what_is_changed_while_the_server_is_away_is_not_lost(browser):
    port = free_port()
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    with Server(port=port) as server:
        stage = Stage(context.new_page(), server.address).open("kmeans", **LINK)
        stage.page.evaluate("() => document.activeElement.blur()")
        n_requests = stage.conversation.n_requests
        # Streamlit asks by itself only if the last run was one of a part of the page.
        stage.page.keyboard.press("r")
        stage.asked_beyond(n_requests).settle()
        server.process.kill()
        server.process.wait()
    expect(stage.page.get_by_test_id("stConnectionStatus")).to_have_count(1)
    stage.slider("Clusters k").press("ArrowRight")
    expect(stage.page.locator(".dm-controls")).to_have_attribute("data-busy", "true")
    with Server(port=port):
        stage.page.wait_for_url("**n_clusters=5**")
        stage.settle()
    context.close()
