"""Visitors who come one after the other to one browser context, and leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import BrowserContext, ViewportSize

from tests.browser.stage import Stage

SIZE: ViewportSize = {"width": 1366, "height": 768}
PERMISSIONS = ["clipboard-read", "clipboard-write"]


@contextmanager
def visits(context: BrowserContext, address: str) -> Iterator[Callable[..., Stage]]:
    """Yield a function that opens a tab; afterwards remove from the context the traces of visitors.

    Tabs of one context share what V8 has compiled, as long as one of them is open: the first stays.
    Scripts, bindings and clocks that a context is given stay too; a test that needs them needs a
    context of its own.
    """
    stages = []

    def arrive(viewport: ViewportSize = SIZE, **media: Any) -> Stage:
        page = context.new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(**media)
        stages.append(Stage(page, address))
        return stages[-1]

    if not context.pages:
        context.new_page().goto(f"{address}/_stcore/health")
    context.grant_permissions(PERMISSIONS)
    yield arrive
    first, *later_pages = context.pages
    for page in later_pages:
        page.close()
    context.unroute_all()
    context.set_offline(False)
    context.set_extra_http_headers({})
    context.grant_permissions(PERMISSIONS)
    first.evaluate("() => navigator.clipboard.writeText('')")
    context.clear_permissions()
    context.clear_cookies()
    session = context.new_cdp_session(first)
    session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
    session.detach()
    errors = [error for stage in stages for error in stage.errors]
    assert not errors, errors
