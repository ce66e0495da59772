"""What axe-core finds on a page: texts that are hard to read, controls that have no name or are out of reach."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.stage import Stage

MOVES = """(where) => document.querySelector(where).getAnimations({ subtree: true })
  .every((each) => !(each instanceof CSSTransition))"""
AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def serious(stage: Stage, where: str = "[data-testid=stMain]") -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the serious and critical violations on a part of the page: each rule with the elements and why."""
    # What waits for an answer is pale, and takes its colour again slowly.
    expect(stage.page.locator(f"{where} [data-stale=true]")).to_have_count(0)
    stage.page.wait_for_function(MOVES, arg=where)
    if not stage.page.evaluate("() => 'axe' in window"):
        stage.page.evaluate(AXE.read_text("utf-8") + ";0")
    found = stage.page.evaluate(f"axe.run(document.querySelector('{where}'), {{ resultTypes: ['violations'] }})")
    return [
        (rule["id"], [(node["html"][:150], node["any"][0]["message"] if node["any"] else "") for node in rule["nodes"]])
        for rule in found["violations"]
        if rule["impact"] in {"serious", "critical"}
    ]
