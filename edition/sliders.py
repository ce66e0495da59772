"""The first sliders of a state, with what each of their positions shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import Any

import numpy as np

from dashboard.panel import Panel
from dashboard.view import View
from edition.packing import smallest, stored
from edition.states import State, finished_view

Control = Mapping[str, Any]
N_SLIDERS = 2
N_POSITIONS, N_LARGE, MIN_POSITIONS = 11, 5, 3
"""Of a slider: usually, where pictures are large, and at least."""
N_PAIRED = 5
"""Positions of each of two sliders that are computed together."""
LARGE = 45_000
"""Bytes of a picture, compressed, from which on there are fewer positions."""
SLIDERS = frozenset({"slider", "stepper"})


@dataclass(frozen=True)
class Slider:
    """A slider whose positions were computed.

    Attributes
    ----------
    control : mapping
        The control, as the stage draws it.
    scenes : list of bytes
        What its positions show, each once.
    places : list of int
        For each position, its number among the scenes.
    ends : list of bytes
        The last step alone of what each position shows.
    has_steps : bool
        Whether the scenes have all steps, or the last one alone.
    """

    control: Control
    scenes: list[bytes]
    places: list[int]
    ends: list[bytes]
    has_steps: bool = True

    def halved(self) -> Slider | None:
        """Return it with every second position and that of the state; None if few would remain."""
        options = self.control["options"]
        values = [value for value, _ in options]
        base = values.index(self.control["value"])
        chosen = sorted({*range(base % 2, len(options), 2)})
        if len(chosen) < MIN_POSITIONS:
            return None
        scenes = [self.scenes[self.places[i]] for i in chosen]
        control = {**self.control, "options": [options[i] for i in chosen]}
        return Slider(control, *_unique(scenes), [self.ends[i] for i in chosen], self.has_steps)

    def without_steps(self) -> Slider:
        """Return it with the last step alone of each position."""
        return Slider(self.control, *_unique(self.ends), self.ends, has_steps=False)


def bare(view: View) -> bytes:
    """Return the picture of a view without controls, uncompressed: equal pictures are equal bytes.

    Its container is that of zlib, as the stage expects it.
    """
    return stored(replace(view, panel=Panel()).encoded(0))


def bare_still(view: View, at: int) -> bytes:
    """Return one frame of the picture of a view without controls, as zlib packs it."""
    return replace(view, panel=Panel()).still(at, 0)


def last_step(view: View) -> View:
    """Return a view with the last step of its picture alone, and of a pinned one beside it."""
    pair = view.pair
    if pair is None:
        return view.in_frame(len(view.scene.frames) - 1)
    pinned, current = pair.frames[-1]
    return replace(view.in_frame(current), pinned=pair.pinned.in_frame(pinned))


def controls(view: View) -> list[Control]:
    """Return the first sliders of a view, with the positions that the edition has of them."""
    n_positions = N_LARGE if len(smallest(bare(view))) > LARGE else N_POSITIONS
    sliders = [
        _with_positions(control, n_positions)
        for control in view.panel.controls
        if control["kind"] in SLIDERS and not control.get("idle")
    ]
    return [control for control in sliders if len(control["options"]) >= MIN_POSITIONS][:N_SLIDERS]


def computed(state: State, view: View, control: Control) -> Slider:
    """Return a slider of a state with what its positions show."""
    name, own = control["name"], control["value"]
    scenes, ends = [], []
    for value, _ in control["options"]:
        settings = view.panel.change(state.settings, {"name": name, "value": value})
        moved = view if value == own else finished_view(state.technique, settings)
        scenes.append(bare(moved))
        ends.append(bare(last_step(moved)))
    return Slider(control, *_unique(scenes), ends)


@dataclass(frozen=True)
class Pairs:
    """Pairs of positions of two sliders, of which neither is that of the state.

    Attributes
    ----------
    positions : pair of list of int
        The positions of each; pairs are in the order of the first slider.
    scenes : list of bytes
        What the pairs show, each once.
    places : list of int
        For each pair, its number among the scenes.
    """

    positions: tuple[list[int], list[int]]
    scenes: list[bytes]
    places: list[int]

    def fewer(self) -> Pairs | None:
        """Return those at the ends of the sliders; None if that are as many."""
        rows, columns = self.positions
        ends = tuple(sorted({chosen[0], chosen[-1]}) for chosen in self.positions)
        if (*map(len, ends),) == (len(rows), len(columns)):
            return None
        chosen = [
            self.places[rows.index(row) * len(columns) + columns.index(column)]
            for row, column in product(*ends)
        ]
        return Pairs((ends[0], ends[1]), *_unique([self.scenes[place] for place in chosen]))


def paired(state: State, view: View, sliders: Sequence[Slider]) -> Pairs | None:
    """Return pairs of positions of two sliders; None where they cannot be chosen freely."""
    if len(sliders) < N_SLIDERS:
        return None
    first, second = (slider.control for slider in sliders)
    rows, columns = _paired_positions(first), _paired_positions(second)
    scenes = []
    for row, column in product(rows, columns):
        messages = _message(first, row), _message(second, column)
        settings = reduce(view.panel.change, messages, state.settings)
        pair = finished_view(state.technique, settings)
        values = {control["name"]: control.get("value") for control in pair.panel.controls}
        if any(values.get(message["name"]) != message["value"] for message in messages):
            return None
        scenes.append(bare(pair))
    return Pairs((rows, columns), *_unique(scenes))


def _paired_positions(control: Control) -> list[int]:
    values = [value for value, _ in control["options"]]
    own = values.index(control["value"])
    return [place for place in positions(len(values), own, N_PAIRED) if place != own]


def _message(control: Control, place: int) -> dict[str, str]:
    return {"name": control["name"], "value": control["options"][place][0]}


def _unique(scenes: list[bytes]) -> tuple[list[bytes], list[int]]:
    """Return scenes, each once, and the number of each."""
    numbers = {scene: number for number, scene in enumerate(dict.fromkeys(scenes))}
    return list(numbers), [numbers[scene] for scene in scenes]


def _with_positions(control: Control, n_positions: int) -> Control:
    """Return a control as a slider of few positions, denser around its own."""
    options = control.get("options") or [
        [str(value), str(value)] for value in range(control["low"], control["high"] + 1)
    ]
    values = [value for value, _ in options]
    if control["value"] not in values:
        return {**control, "options": []}
    chosen = positions(len(options), values.index(control["value"]), n_positions)
    whole = {"whole": True} if control["kind"] == "stepper" else {}
    return {**control, **whole, "kind": "slider", "options": [options[i] for i in chosen]}


def positions(n_options: int, own: int, n_positions: int = N_POSITIONS) -> list[int]:
    """Return a few of many positions: the ends, its own, and the more the closer to its own.

    Examples
    --------
    >>> positions(5, 1)
    [0, 1, 2, 3, 4]
    >>> positions(201, 100)
    [0, 36, 64, 84, 96, 100, 104, 116, 136, 164, 200]
    """
    if n_options <= n_positions:
        return list(range(n_options))
    steps = np.linspace(-1, 1, n_positions)
    room = np.where(steps < 0, own, n_options - 1 - own)
    distances = np.ceil((steps**2 * room).round(6))
    return [int(place) for place in np.unique(own + np.sign(steps) * distances)]
