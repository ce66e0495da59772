"""What axe-core finds on a page: texts that are hard to read, controls that have no name or are out of reach."""

from __future__ import annotations

from pathlib import Path

from tests.browser.stage import Stage

AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def serious(stage: Stage, where: str = "[data-testid=stMain]") -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the serious and critical violations on a part of the page: each rule with the elements and why."""
    if not stage.page.evaluate("() => 'axe' in window"):
        stage.page.evaluate(AXE.read_text("utf-8") + ";0")
    found = stage.page.evaluate(f"axe.run(document.querySelector('{where}'), {{ resultTypes: ['violations'] }})")
    return [
        (rule["id"], [(node["html"][:150], node["any"][0]["message"] if node["any"] else "") for node in rule["nodes"]])
        for rule in found["violations"]
        if rule["impact"] in {"serious", "critical"}
    ]
