"""Violations that axe-core reports: low contrast, controls without a name or out of reach."""

from __future__ import annotations

from pathlib import Path

from tests.browser.stage import Stage

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
ON_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that are asked by default and look at colours."""
FAINT = """(where) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const g = canvas.getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    g.clearRect(0, 0, 1, 1); g.fillStyle = colour; g.fillRect(0, 0, 1, 1);
    return [...g.getImageData(0, 0, 1, 1).data].map((v) => v / 255);
  };
  const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = (top, below) => below.map((v, i) => top[i] * top[3] + v * (1 - top[3]));
  const contrast = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      layers.push(rgba(getComputedStyle(e).backgroundColor));
    }
    const behind = layers.reduceRight((below, layer) => over(layer, below), [1, 1, 1]);
    const text = over(rgba(getComputedStyle(element).color), behind);
    const [dark, light] = [luminance(text), luminance(behind)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const texts = [];
  const controls = `:is(${where}) :is(button, [role=tab], [role=radio])`;
  for (const control of document.querySelectorAll(controls)) {
    if (control.matches(':disabled, [aria-disabled=true]') || !control.checkVisibility()) continue;
    for (const element of [control, ...control.querySelectorAll('p, span, div')]) {
      const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
      const ratio = own.length ? contrast(element) : Infinity;
      if (ratio >= 4.5) continue;
      texts.push([control.outerHTML.slice(0, 150), `${own[0].data}: ${ratio.toFixed(2)}:1`]);
    }
  }
  return texts;
}"""


def serious(
    stage: Stage, where: str = "[data-testid=stMain]", of_colours: bool = False
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the serious and critical violations on a part of the page, with elements and reasons.

    With ``of_colours``, only rules on colours are asked, which is what another scheme changes.
    axe looks at no text within what Streamlit draws as a tab or a button, and does not say so:
    their contrast is measured here.
    """
    if not stage.page.evaluate("() => 'axe' in window"):
        stage.page.evaluate(AXE.read_text("utf-8") + ";0")
    options = {"resultTypes": ["violations"]} | ({"runOnly": ON_COLOURS} if of_colours else {})
    result = stage.page.evaluate(
        "([where, options]) => axe.run(document.querySelector(where), options)", [where, options]
    )
    violations = [
        (
            rule["id"],
            [
                (node["html"][:150], node["any"][0]["message"] if node["any"] else "")
                for node in rule["nodes"]
            ],
        )
        for rule in result["violations"]
        if rule["impact"] in {"serious", "critical"}
    ]
    faint = [(html, ratio) for html, ratio in stage.page.evaluate(FAINT, where)]
    return violations + ([("color-contrast of controls", faint)] if faint else [])
