"""What a recurrent network can be asked: a series to be forecast, a text, a grammar, a sum to be remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import streamlit as st

from dmlib.datasets import SeriesData
from dmlib.datasets.sequences import (
    adding_problem,
    heated_room,
    next_letters,
    reber_grammar,
    sine_wave,
)
from dmlib.params import Choice, Flag, Integer, Number, Param, defaults
from dmlib.problem.sequences import SequenceData, SequencesProblem
from ui.controls import control, control_group, peek
from ui.data.container import WHOLE
from ui.data.series import Series
from ui.links import keep, kept, shown
from ui.tools.tool import SEED

TEXT = "text"
FIRST = "she sells sea shells by the sea shore; the shells she sells are sea shells for sure. " * 3
LONGEST = 2000  # letters
TASKS: Mapping[str, tuple[str, Callable[..., Any], Mapping[str, Param]]] = {
    "sine_wave": (
        "Sine waves",
        sine_wave,
        {
            "n_values": Integer(20, 500, shown=(40, 300)),
            "period": Number(2.0, 100.0, shown=(4.0, 60.0), step=1.0),
            "noise": Number(0.0, 5.0, shown=(0.0, 0.5), step=0.01),
        },
    ),
    "heated_room": (
        "Heated room",
        heated_room,
        {
            "n_values": Integer(20, 500, shown=(60, 300)),
            "noise": Number(0.0, 5.0, shown=(0.0, 1.0), step=0.01),
        },
    ),
    "reber_grammar": (
        "Reber grammar",
        reber_grammar,
        {"n_sequences": Integer(8, 300, shown=(20, 200)), "embedded": Flag()},
    ),
    "adding_problem": (
        "Adding problem",
        adding_problem,
        {"n_sequences": Integer(8, 400, shown=(40, 300)), "length": Integer(4, 60, shown=(4, 40))},
    ),
}
"""By name: what the reader sees, the function that makes it, and the bounds of its parameters."""


@dataclass(frozen=True)
class Sequences(Series):
    """A series, or sequences with what is to be said in each step."""

    less: ClassVar[str] = "Choose fewer epochs, units or steps."

    @property
    def sources(self) -> dict[str, str]:
        """Where they can come from."""
        return {"task": "Task", **super().sources, "text": "Text"}

    def _of(self, source: str) -> tuple[Any, str]:
        if source == "task":
            return self._task()
        return self._text() if source == "text" else super().from_source(source)

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Put a series into a problem; sequences are one already."""
        if isinstance(data, SequenceData):
            return SequencesProblem(data), "X = data\n"
        problem, code = super().prepare(data)
        if problem.labelled:
            return problem, code.replace("X = ", "X, y = ")
        return problem, code.replace(".arguments\n", ".arguments[0]\n")

    def from_source(self, source: str) -> tuple[Any, str]:
        """Return the data of one of the sources, and the code that makes them; of two series, one may be an input."""
        data, code = self._of(source)
        if not isinstance(data, SeriesData) or len(data.values) < 2:
            return data, code
        known = control(
            "exog",
            Flag(),
            False,
            label=f"{data.names[1]} is known",
            parts=WHOLE,
            help_text=(
                "A further input: it is known before each value comes, in the forecast too"
                " (exogenous)."
            ),
        )
        if not known:
            return (
                replace(data, values=data.values[:1], names=data.names[:1], times=data.times[:1]),
                code,
            )
        if not np.array_equal(data.times[0], data.times[1]):
            raise ValueError(
                f"{data.names[0]} and {data.names[1]} are not known at the same times, so that one"
                " cannot be an input of the other. Fill in what is missing, or leave the input"
                " out."
            )
        return data, code

    def _task(self) -> tuple[Any, str]:
        titles = {name: title for name, (title, _, _) in TASKS.items()}
        first = self.start.get("task", "sine_wave")
        name = control("task", Choice(tuple(TASKS)), first, label="Task", names=titles, parts=WHOLE)
        _, make, specs = TASKS[name]
        seed, usual = peek("seed", SEED, 0), defaults(make)
        params = control_group(name, make, specs, usual, {}, parts=("data",))
        changed = "".join(
            f", {key}={value!r}" for key, value in params.items() if value != usual[key]
        )
        code = (
            f"from dmlib.datasets.sequences import {name}\n\ndata ="
            f" {name}(random_state={seed}{changed})\n"
        )
        return make(**params, random_state=seed), code

    def _text(self) -> tuple[Any, str]:
        kept(TEXT, str, FIRST)
        if shown("data"):
            st.text_area("Text", key=TEXT, max_chars=LONGEST, persist_state="session")
        text = st.session_state[TEXT]
        keep(TEXT, None if text == FIRST else text)
        code = (
            f"from dmlib.datasets.sequences import next_letters\n\ndata = next_letters({text!r})\n"
        )
        return next_letters(text), code
