"""Visitors who come one after the other to one browser context are strangers to each other."""

import pytest

from tests.browser.visits import SIZE, visits

pytestmark = pytest.mark.browser

LEAVE = """async () => {
  localStorage.setItem('visits', 'left');
  sessionStorage.setItem('visits', 'left');
  document.cookie = 'visits=left';
  indexedDB.open('visits');
  await (await caches.open('visits')).put('/visits', new Response('left'));
  await navigator.clipboard.writeText('left');
}"""
TRACES = """async () => ({
  stored: ['localStorage', 'sessionStorage'].map((name) => window[name].getItem('visits')),
  cookies: document.cookie.split('; ').filter((cookie) => cookie.startsWith('visits')),
  databases: (await indexedDB.databases()).map(({ name }) => name),
  caches: await caches.keys(),
  copied: await navigator.clipboard.readText(),
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  size: [innerWidth, innerHeight],
})"""
NO_TRACES = {
    "stored": [None, None],
    "cookies": [],
    "databases": [],
    "caches": [],
    "copied": "",
    "dark": False,
    "still": False,
    "size": list(SIZE.values()),
}


def health(stage):
    """Let a visitor open the server's health page: its origin, and none of Streamlit's files."""
    answer = stage.page.goto(f"{stage.address}/_stcore/health")
    assert answer.text() == "ok"
    return stage.page


def test_what_a_visitor_leaves_behind_does_not_reach_the_next(server, shared_context):
    with visits(shared_context, server.address) as arrive:
        page = health(
            arrive({"width": 390, "height": 844}, color_scheme="dark", reduced_motion="reduce")
        )
        page.evaluate(LEAVE)
        # A busy browser announces a tab some time after it opened; only a known one is left.
        with page.expect_popup():
            page.evaluate("() => { window.open('/_stcore/health'); }")
        traces = page.evaluate(TRACES)
        assert [name for name, value in traces.items() if value == NO_TRACES[name]] == []
        shared_context.route("**/*", lambda route: route.abort())
        shared_context.set_extra_http_headers({"visits": "left"})
        shared_context.set_offline(True)
        shared_context.clear_permissions()
    for _ in range(2):
        with visits(shared_context, server.address) as arrive:
            page = health(arrive())
            assert page.evaluate(TRACES) == NO_TRACES
            assert "visits" not in page.reload().request.headers
            assert len(shared_context.pages) == 2, "a tab was left open"
