"""Build a tree: the reader chooses the split of one node after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import streamlit as st

from dmlib.params import Choice, Flag, Number
from dmlib.problem import Problem
from dmlib.trees.choices import Prescribed, choose, format_choices, parse_choices
from ui.compute import trace_of
from ui.controls import control
from ui.estimators import new
from ui.links import keep, kept
from ui.panel import button, note, several
from ui.tools.drag import finite
from ui.tools.tool import LAST_FRAME, Page, Tool

PLACES = 200  # positions of the slider
SPLIT = "split"  # the handle of the split that is being tried
Choices = dict[str, Prescribed | None]


@dataclass(frozen=True)
class BuildTree(Tool):
    """A parameter that prescribes the splits of a tree: once switched on, the reader chooses them.

    The run's options have ``build``, whether it is on, and ``draft``, the path of the node whose
    split is being tried.
    """

    parameter: str
    first: ClassVar[bool] = True

    def decides(self, page: Page) -> frozenset[str]:
        """Return the parameter."""
        return frozenset({self.parameter})

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show the controls of the next split."""
        on = control(
            page.key("build"),
            Flag(),
            False,
            label="Build it yourself",
            help_text=(
                "You choose the split of each node, and then see what the algorithm would have"
                " chosen."
            ),
            parts=("options",),
        )
        before = page.key("building")
        began = on and not st.session_state.get(before)
        st.session_state[before] = on
        if began and "step" not in st.query_params:  # a link says itself where it opens
            page.go(LAST_FRAME)
        splits, draft = self._next(page) if on and page.problem is not None else (None, None)
        return {"build": on, "draft": draft, self.parameter: splits}

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Take over the threshold that was dragged."""
        if message.get("name") != SPLIT:
            return False
        value = next(
            (number for axis in "xy" if (number := finite(message.get(axis))) is not None), None
        )
        if value is not None:
            st.session_state[page.key("threshold")] = float(f"{value:.4g}")
        return True

    def _next(self, page: Page) -> tuple[str, str | None]:
        """Offer the next split; return all splits, the tried one included, and the node of that if there is one."""
        slug, problem = page.technique.slug, page.problem
        chosen = parse_choices(_kept_text(slug, problem))
        text = format_choices(chosen)
        try:
            _, trace = trace_of(
                new(page.algorithm, {**page.params, self.parameter: text}, page.seed),
                *problem.training.arguments,
            )
        except ValueError:
            _buttons(page, chosen, None, [])
            return text, None
        waiting = {
            step.path: step
            for step in trace.steps
            if step.phase == "open" and step.best is not None
        }
        if not waiting:
            note("No node is left to split.")
            _buttons(page, chosen, None, [])
            return text, None
        names = {
            path: f"{_name(step.node)}, {step.counts.sum():.6g} rows"
            for path, step in waiting.items()
        }
        path = next(iter(waiting))
        if len(waiting) > 1:
            path = control(
                page.key("node"), Choice(tuple(waiting)), path, label="Node to split", names=names
            )
        tried = choose(chosen, path, _split(slug, waiting[path], page.params, problem.training))
        _buttons(page, chosen, tried, list(waiting))
        return format_choices(tried), path


def _name(node: int) -> str:
    return "root" if node == 0 else f"node {node + 1}"


def _kept_text(slug: str, problem: Problem) -> str:
    """Return the splits chosen so far; other data start anew."""
    key, of = f"{slug}.choices", f"{slug}.choices.of"
    text = kept(key, _checked, "")
    data = (problem.features, len(problem.training.X))
    if st.session_state.setdefault(of, data) != data:
        st.session_state[of] = data
        _keep(slug, {})
        text = ""
    return text


def _checked(text: str) -> str:
    try:
        return format_choices(parse_choices(text))
    except ValueError:
        raise ValueError("splits such as r_2_2.45") from None


def _split(slug: str, step: Any, params: Mapping[str, Any], learned: Problem) -> Prescribed:
    """Let the reader choose the column, and where to divide it."""
    ranked = step.candidates
    there = sorted(set(ranked.columns[np.isfinite(ranked.scores)].tolist()))
    names = tuple(learned.features[column] for column in there)
    column = learned.features.index(
        control(
            f"{slug}.column",
            Choice(names),
            names[0],
            label="Column",
            names=dict(zip(names, names, strict=True)),
        )
    )
    cuts = np.sort(ranked.thresholds[(ranked.columns == column) & np.isfinite(ranked.thresholds)])
    if len(cuts):
        return Prescribed(column, _threshold(slug, step.path, column, cuts))
    tested = params["criterion"] in (
        "chaid",
        "quest",
    )  # these find the best division of a column by themselves
    if column in learned.categories and params["splitter"] == "binary" and not tested:
        codes = np.unique(learned.X[step.rows, column])
        return Prescribed(
            column, values=_values(slug, step.path, column, codes[codes >= 0].astype(int), learned)
        )
    return Prescribed(column)


def _fresh(slug: str, of: tuple[str, int]) -> bool:
    """Return whether the node or column is another than before."""
    before = st.session_state.get(f"{slug}.cut.of", of)
    st.session_state[f"{slug}.cut.of"] = of
    return bool(before != of)


def _threshold(slug: str, path: str, column: int, cuts: Any) -> float:
    """Let the reader choose a threshold, with the slider or by dragging the line in the picture."""
    key, (low, high) = f"{slug}.threshold", (float(cuts[0]), float(cuts[-1]))
    middle = float(cuts[(len(cuts) - 1) // 2])
    value = kept(key, float, middle)
    if _fresh(slug, (path, column)) or not np.isfinite(value):
        value = middle
    st.session_state[key] = min(max(value, low), high)
    if low == high:
        return low
    label, step = "Threshold: up to it goes left", (high - low) / PLACES
    spec = Number(low, high, step=float(f"{step:.1g}"))
    return float(
        control(key, spec, middle, label=label, help_text="Or drag the line in the picture.")
    )


def _values(slug: str, path: str, column: int, codes: Any, learned: Problem) -> tuple[int, ...]:
    """Let the reader choose the values that go left; some of them, not all."""
    key, names = f"{slug}.values", [learned.categories[column][code] for code in codes]
    first = names[:1]
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get_all(key) or first
    if _fresh(slug, (path, column)):
        st.session_state[key] = first
    st.session_state[key] = [name for name in st.session_state[key] if name in names]
    several(key, "Values that go left", names)
    left = st.session_state[key]
    if not 0 < len(left) < len(names):
        note("Choose some of the values, not all; until then the first goes left.")
        left = first
    keep(key, None if left == first else list(left))
    return tuple(int(code) for code, name in zip(codes, names, strict=True) if name in left)


def _buttons(page: Page, chosen: Choices, tried: Choices | None, waiting: list[str]) -> None:
    """Show what can be done with the split that is being tried, and with the ones before."""
    slug = page.technique.slug

    def take(choices: Choices) -> None:
        _keep(slug, choices)
        st.session_state.pop(f"{slug}.node", None)  # the first that waits is next
        keep(f"{slug}.node", None)
        page.go(LAST_FRAME)

    if tried is not None:
        button(f"{slug}.split", "Split", take, tried, primary=True)
    button(f"{slug}.undo", "Undo", take, dict(list(chosen.items())[:-1]), disabled=not chosen)
    if waiting:  # the algorithm splits what is left
        button(f"{slug}.finish", "Finish", take, chosen | dict.fromkeys(waiting))


def _keep(slug: str, choices: Choices) -> None:
    text = format_choices(choices)
    st.session_state[f"{slug}.choices"] = text
    keep(f"{slug}.choices", text or None)
