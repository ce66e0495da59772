"""Controls from parameter specifications: one widget each, kept in the link."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import streamlit as st

from dmlib.estimator import HasOptionLabels
from dmlib.params import Choice, Flag, Integer, Number, Param, describe
from ui.links import FOLDED, hidden, keep, kept
from ui.panel import add_parameter, panel
from ui.spelling import spelt
from ui.text import literal

FEW = 4  # options up to which all are shown side by side,
CHARACTERS = 18  # if they fit into the column
MOST = 1000  # whole numbers of a slider; of more, a field takes one


def control(
    key: str,
    spec: Param,
    default: Any,
    *,
    label: str,
    help_text: str = "",
    names: Mapping[str, str] | None = None,
    parts: tuple[str, ...] = (),
    idle: str = "",
) -> Any:
    """Show the widget of one parameter and return its value.

    Parameters
    ----------
    key : str
        Its name in the link and in the session.
    spec : Param
        Its specification.
    default : object
        Its value while neither the link nor the reader says otherwise; it never appears in the
        link.
    label, help_text : str
        What the reader sees.
    names : mapping of str to str, optional
        What the reader sees of the options of a choice.
    parts : tuple of str
        The parts of the page that it belongs to. ``?hide=`` takes away parts, full names, and last
        words of names.
    idle : str
        Why it changes nothing here: it is then shown with this sentence, and cannot be moved.
    """
    value = kept(key, spec.parse, default)
    if type(spec) is Choice and value not in spec.options:  # the options may depend on the data
        st.session_state[key] = value = default
    if not hidden().isdisjoint({key, key.rsplit(".", 1)[-1], *parts}):
        return value
    if where := panel():
        add_parameter(
            where, key, spec, st.session_state[key], default, label, help_text, names or {}, idle
        )
        value = st.session_state[key]
    else:
        shared = {"key": key, "help": literal(help_text) or None, "persist_state": "session"}
        value = _widget(spec, label, names or {}, default, shared)
    keep(key, None if value == default else str(value))
    return value


def _widget(
    spec: Param, label: str, names: Mapping[str, str], default: Any, shared: dict[str, Any]
) -> Any:
    """Show the widget that fits a specification; its value is the one in the session.

    Numbers outside the panel are those of generators: none has a name, None or a scale that
    multiplies.
    """
    if isinstance(spec, Flag):
        return st.toggle(label, **shared)
    if isinstance(spec, Choice):
        shown = [names.get(option, spelt(option)) for option in spec.options]
        shared["format_func"] = dict(zip(spec.options, shown, strict=True)).__getitem__
        if len(shown) <= FEW and sum(map(len, shown)) <= CHARACTERS:
            return st.segmented_control(
                label, spec.options, required=True, width="stretch", **shared
            )
        return st.selectbox(label, spec.options, **shared)
    low, high = _range(shared["key"], spec, default)
    if isinstance(spec, Integer):
        field = spec.shown is None and high - low > MOST
        return (st.number_input if field else st.slider)(label, int(low), int(high), **shared)
    step = spec.step or (high - low) / 100
    return st.slider(label, float(low), float(high), step=step, format=_format(step), **shared)


def section(label: str, key: str, parts: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
    """Return a section that opens, and the parts for the controls in it; while it is closed they are not mounted.

    Where the parts are hidden there is no section either.
    """
    if not hidden().isdisjoint(parts):
        return nullcontext(), parts
    if where := panel():
        where.add(key, "section", label)
        return nullcontext(), parts
    expander = st.expander(label, key=key, on_change="rerun")
    return expander, parts if expander.open else (*parts, FOLDED)


def peek(key: str, spec: Param, default: Any) -> Any:
    """Return the value of a control that is not on the screen (yet)."""
    return kept(key, spec.parse, default)


def _range(key: str, spec: Integer | Number, default: float) -> tuple[float, float]:
    """Return the slider's range: the shown one, or all that is allowed once a value outside it was asked for."""
    low, *_, high = spec.shown or (spec.low, spec.high)
    wide = f"{key}:wide"
    if not low <= st.session_state[key] <= high or not low <= default <= high:
        st.session_state[wide] = True
    return (spec.low, spec.high) if st.session_state.get(wide) else (low, high)


def _format(step: float) -> str:
    return f"%.{max(0, -int(f'{step:e}'.split('e')[1]))}f" if step < 1 else "%g"


def control_group(
    prefix: str,
    documented: Any,
    specs: Mapping[str, Param],
    defaults: Mapping[str, Any],
    labels: Mapping[str, str],
    *,
    parts: tuple[str, ...] = (),
    idle: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Show the controls of several parameters and return their values; the help texts come from a docstring.

    ``idle`` says of some of them why they change nothing here. What the reader sees of the options
    of a choice, where it is not their names, is in ``SPOKEN`` of what is documented.
    """
    option_labels = documented.SPOKEN if isinstance(documented, HasOptionLabels) else {}
    return {
        name: control(
            f"{prefix}.{name}",
            spec,
            defaults[name],
            label=labels.get(name, name.replace("_", " ")),
            help_text=describe(documented, name),
            names=option_labels.get(name),
            parts=parts,
            idle=(idle or {}).get(name, ""),
        )
        for name, spec in specs.items()
    }
