"""The panel of controls beside the picture: collected while a page is made, drawn by the stage.

Streamlit's own widgets send a value when they are let go, and come back one by one with every
answer. Those of the panel send while they move, and travel with the picture as one element
(docs/decisions/0010-live-controls.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dmlib.params import Choice, Flag, Integer, Number, Param, Several
from ui.spelling import spelt

POSITIONS = 200  # of a slider
A_DECADE = 20  # positions of a slider that multiplies, at least
EIGHT_DECADES = 1e8  # below the top of a slider that multiplies and begins at 0

Action = Callable[[Any], None]


@dataclass
class Panel:
    """The controls in their order, as the stage draws them, and what each does with what the stage says.

    Attributes
    ----------
    controls : list of dict
        Plain data for the stage.
    actions : dict of str to callable
        By the name of the control.
    """

    controls: list[dict[str, Any]] = field(default_factory=list)
    actions: dict[str, Action] = field(default_factory=dict)

    def add(
        self, name: str, kind: str, label: str, action: Action | None = None, **more: Any
    ) -> None:
        """Add a control."""
        self.controls.append({"name": name, "kind": kind, "label": label, **more})
        if action is not None:
            self.actions[name] = action

    def extend(self, other: Panel) -> None:
        """Append the controls of another panel."""
        self.controls += other.controls
        self.actions |= other.actions

    def first(self, few: int) -> Panel:
        """Return a panel of its first few parameters and all its sentences."""
        shown = [
            spec["name"]
            for spec in self.controls
            if spec["kind"] not in {"section", "note", "button"}
        ][:few]
        return Panel(
            [spec for spec in self.controls if spec["kind"] == "note" or spec["name"] in shown],
            self.actions,
        )

    def take(self, message: Any) -> None:
        """Do what the stage says; what the browser sends is not trusted."""
        action = self.actions.get(str(message.get("name"))) if isinstance(message, dict) else None
        if action is not None:
            action(message.get("value"))

    def heard(self, message: Any) -> int:
        """Return the number of the last message, so that the stage knows which one this picture answers."""
        number = message.get("number") if isinstance(message, dict) else 0
        return number if isinstance(number, int) else 0


_PANEL: ContextVar[Panel | None] = ContextVar("panel", default=None)


def panel() -> Panel | None:
    """Return the panel that is being collected, if one is."""
    return _PANEL.get()


@contextmanager
def collected() -> Iterator[Panel]:
    """Collect all controls that are shown in this context."""
    collecting = Panel()
    token = _PANEL.set(collecting)
    try:
        yield collecting
    finally:
        _PANEL.reset(token)


def add_parameter(
    where: Panel,
    key: str,
    spec: Param,
    value: Any,
    default: Any,
    label: str,
    help_text: str,
    names: Mapping[str, str],
    idle: str = "",
) -> None:
    """Add the control of a parameter; ``idle`` says why it cannot be moved."""

    def take(said: Any) -> None:
        some = spec.options if isinstance(spec, Several) and isinstance(said, list) else ()
        text = ",".join(name for name in some if name in said) or str(said)
        try:
            st.session_state[key] = spec.parse(text)
        except (ValueError, OverflowError):
            return

    form = _form(spec, value, default, names) | ({"idle": idle} if idle else {})
    where.add(key, **{"value": _text(value)} | form, label=label, action=take, help=help_text)


def _form(spec: Param, value: Any, default: Any, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the kind of a control and what it is made of."""
    if isinstance(spec, Flag):
        return {"kind": "flag"}
    if isinstance(spec, Several):
        return _choice("several", spec, names) | {"value": value.split(",")}
    if isinstance(spec, Choice):
        return _choice("choice", spec, names)
    if isinstance(spec, Integer) and spec.stepped:
        return {"kind": "stepper", "low": spec.low, "high": spec.high}
    return {"kind": "slider", "options": _places(spec, default, value)}


def _places(spec: Integer | Number, default: Any, value: Any) -> list[list[str]]:
    """Return what links and readers see of each position of a slider."""
    return [[_text(place), _short(place, spec)] for place in positions(spec, default, value)]


def _choice(kind: str, spec: Choice, names: Mapping[str, str]) -> dict[str, Any]:
    return {"kind": kind, "options": [[o, names.get(o, spelt(o))] for o in spec.options]}


def positions(spec: Integer | Number, *values: Any) -> list[Any]:
    """Return the positions of a slider, about 200: names first, infinity last; those in ``values`` among them.

    None is the last of whole numbers ("no limit"), and the first of others ("none").

    Examples
    --------
    >>> positions(Integer(1, 5))
    [1, 2, 3, 4, 5]
    >>> positions(Number(0.0, 1.0, shown=(0.0, 0.01, 0.3)), 0.5)
    [0.0, 0.01, 0.3, 0.5]
    >>> places = positions(Number(0.0, float("inf"), shown=(0.1, 10.0), log=True, names=("auto",)), 1.0)
    >>> places[0], places[1], places[-2], places[-1], len(places) > 40
    ('auto', 0.1, 10.0, inf, True)
    """
    low, *between, high = spec.shown or (spec.low, spec.high)
    given = {value for value in values if isinstance(value, int | float) and math.isfinite(value)}
    if isinstance(spec, Integer):
        step = max(1, math.ceil((high - low) / (2 * POSITIONS)))
        whole = between or range(int(low), int(high), step)
        none = [None] if spec.none else []
        return [*spec.names, *sorted({int(low), *whole, int(high), *map(int, given)}), *none]
    spaced = _multiplied(low, high) if spec.log else _added(low, high, spec.step)
    places = {low, *between, high} if between else spaced
    infinite = [spec.high] if spec.log and math.isinf(spec.high) else []
    return [*([None] if spec.none else []), *spec.names, *sorted(places | given), *infinite]


def _added(low: float, high: float, step: float | None) -> set[float]:
    """Return evenly spaced numbers with few digits."""
    step = max(step or 0.0, _round((high - low) / POSITIONS)) or 1.0
    digits = max(0, 1 - math.floor(math.log10(step)))
    rounded = {round(low + i * step, digits) for i in range(int((high - low) / step + 1e-9) + 1)}
    return {min(max(place, low), high) for place in rounded} | {high}


def _round(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, not below a step."""
    power = 10.0 ** math.floor(math.log10(step)) if step > 0 else 1.0
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= step * (1 - 1e-9))


def _multiplied(low: float, high: float) -> set[float]:
    """Return numbers of three digits whose ratios are even."""
    smallest = low or high / EIGHT_DECADES
    decades = math.log10(high / smallest)
    n = max(POSITIONS, round(A_DECADE * decades))
    return {float(f"{smallest * 10 ** (decades * i / n):.3g}") for i in range(n + 1)} | {low, high}


def _text(value: Any) -> str:
    """Return a value as links have it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _short(value: Any, spec: Integer | Number) -> str:
    if value is None:
        return spec.none
    return value if isinstance(value, str) else "∞" if math.isinf(value) else f"{value:.6g}"


def button(
    key: str,
    label: str,
    act: Callable[..., None],
    *args: Any,
    disabled: bool = False,
    primary: bool = False,
) -> None:
    """Show a button in the panel."""
    if where := panel():
        where.add(key, "button", label, lambda _: act(*args), disabled=disabled, primary=primary)


def note(text: str) -> None:
    """Show a sentence in the panel."""
    if where := panel():
        where.add("", "note", text)


def several(key: str, label: str, options: Sequence[str]) -> None:
    """Show a choice of several options in the panel; its value is the list in the session."""

    def take(chosen: Any) -> None:
        listed = chosen if isinstance(chosen, list) else []
        st.session_state[key] = [name for name in options if name in listed]

    if where := panel():
        where.add(
            key,
            "several",
            label,
            take,
            options=[[o, o] for o in options],
            value=st.session_state[key],
        )
