"""Build a tree yourself: the reader chooses the split of one node after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from dmlib.classification.trees.choices import Prescribed, choose, format_choices, parse_choices
from dmlib.params import Choice, Number
from dmlib.problem import Problem
from ui.compute import trace_of
from ui.controls import control
from ui.links import keep, kept
from ui.technique import Technique, new

PLACES = 200  # positions of the slider
Choices = dict[str, Prescribed | None]


def building(
    technique: Technique,
    algorithm: Any,
    params: Mapping[str, Any],
    seed: int,
    problem: Problem,
    go: Callable[[], None],
) -> tuple[str, str | None]:
    """Show the controls of the next split.

    Parameters
    ----------
    technique : Technique
        The page.
    algorithm : type
        A class whose steps say "open" of nodes that wait for a prescribed split.
    params : mapping
        Its other parameters.
    seed : int
        Its seed.
    problem : Problem
        The data.
    go : callable
        Lets the stage go to the last frame.

    Returns
    -------
    choices : str
        All splits chosen so far, with the one that is being tried.
    draft : str or None
        The node of that; None if there is nothing left to split.
    """
    slug = technique.slug
    chosen = parse_choices(_kept_text(slug, problem))
    text = format_choices(chosen)
    learned = problem.training
    try:
        trace = trace_of(new(algorithm, {**params, technique.splits: text}, seed), learned.data, learned.y)
    except ValueError:
        _buttons(slug, chosen, None, [], go)
        return text, None
    waiting = {step.path: step for step in trace.steps if step.phase == "open" and step.best is not None}
    if not waiting:
        st.caption("No node is left to split.")
        _buttons(slug, chosen, None, [], go)
        return text, None
    names = {path: f"{_name(step.node)}, {step.counts.sum():.6g} rows" for path, step in waiting.items()}
    path = next(iter(waiting))
    if len(waiting) > 1:
        path = control(f"{slug}.node", Choice(tuple(waiting)), path, label="Node to split", names=names)
    split = _split(slug, waiting[path], params, learned)
    tried = choose(chosen, path, split)
    _buttons(slug, chosen, tried, list(waiting), go)
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
        control(f"{slug}.column", Choice(names), names[0], label="Column", names=dict(zip(names, names, strict=True)))
    )
    cuts = np.sort(ranked.thresholds[(ranked.columns == column) & np.isfinite(ranked.thresholds)])
    if len(cuts):
        return Prescribed(column, _threshold(slug, step.path, column, cuts))
    tested = params["criterion"] in ("chaid", "quest")  # these find the best division of a column by themselves
    if column in learned.categories and params["splitter"] == "binary" and not tested:
        codes = np.unique(learned.X[step.rows, column])
        return Prescribed(column, values=_values(slug, step.path, column, codes[codes >= 0].astype(int), learned))
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
    return float(control(key, spec, middle, label=label, help_text="Or drag the line in the picture."))


def _values(slug: str, path: str, column: int, codes: Any, learned: Problem) -> tuple[int, ...]:
    """Let the reader choose the values that go left; some of them, not all."""
    key, names = f"{slug}.values", [learned.categories[column][code] for code in codes]
    first = names[:1]
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get_all(key) or first
    if _fresh(slug, (path, column)):
        st.session_state[key] = first
    st.session_state[key] = [name for name in st.session_state[key] if name in names]
    st.multiselect("Values that go left", names, key=key, persist_state="session")
    left = st.session_state[key]
    if not 0 < len(left) < len(names):
        st.caption("Choose some of the values, not all; until then the first goes left.")
        left = first
    keep(key, None if left == first else list(left))
    return tuple(int(code) for code, name in zip(codes, names, strict=True) if name in left)


def _buttons(slug: str, chosen: Choices, tried: Choices | None, waiting: list[str], go: Callable[[], None]) -> None:
    """Show what can be done with the split that is being tried, and with the ones before."""

    def take(choices: Choices) -> None:
        _keep(slug, choices)
        st.session_state.pop(f"{slug}.node", None)  # the first that waits is next
        keep(f"{slug}.node", None)
        go()

    with st.container(horizontal=True):
        if tried is not None:
            st.button("Split", key=f"{slug}.split", type="primary", on_click=take, args=(tried,))
        shorter = dict(list(chosen.items())[:-1])
        st.button("Undo", key=f"{slug}.undo", disabled=not chosen, on_click=take, args=(shorter,))
        if waiting:
            rest = chosen | dict.fromkeys(waiting)
            st.button(
                "Finish", key=f"{slug}.finish", help="The algorithm splits what is left.", on_click=take, args=(rest,)
            )


def _keep(slug: str, choices: Choices) -> None:
    text = format_choices(choices)
    st.session_state[f"{slug}.choices"] = text
    keep(f"{slug}.choices", text or None)
