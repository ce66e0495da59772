"""Sequences for a recurrent network: a series to forecast, a text, a grammar, a sum to remember."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dashboard.data.container import DATA
from dashboard.data.series import Series
from dashboard.form import Form
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

CODE = (
    "from dmlib.problem.sequences import SequencesProblem\n\n"
    "problem = SequencesProblem(data)\nX = data\n"
)
TEXT = "text"
FIRST = "she sells sea shells by the sea shore; the shells she sells are sea shells for sure. " * 3
MAX_LETTERS = 2000
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

    advice: ClassVar[str] = "Choose fewer epochs, units or steps."

    @property
    def sources(self) -> dict[str, str]:
        """Where they can come from."""
        return {"task": "Task", **super().sources, "text": "Text"}

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Put a series into a problem; sequences are one already."""
        if isinstance(data, SequenceData):
            return SequencesProblem(data), CODE
        problem, code = super().prepare(data, form)
        if problem.labelled:
            return problem, code.replace("X = ", "X, y = ")
        return problem, code.replace(".arguments\n", ".arguments[0]\n")

    def from_source(self, source: str, form: Form) -> tuple[Any, str]:
        """Return the data of a source, and the code; of two series, one may be an input."""
        if source == "task":
            data, code = self._task(form)
        elif source == "text":
            data, code = _text(form)
        else:
            data, code = super().from_source(source, form)
        if not isinstance(data, SeriesData) or len(data.values) < 2:
            return data, code
        has_input = form.control(
            "exog",
            Flag(),
            False,
            label=f"{data.names[1]} is known",
            parts=DATA,
            help_text=(
                "A further input: it is known before each value comes, in the forecast too"
                " (exogenous)."
            ),
        )
        if not has_input:
            first = replace(
                data, values=data.values[:1], names=data.names[:1], times=data.times[:1]
            )
            return first, code
        if not np.array_equal(data.times[0], data.times[1]):
            raise ValueError(
                f"{data.names[0]} and {data.names[1]} are not known at the same times, so that one"
                " cannot be an input of the other. Fill in what is missing, or leave the input"
                " out."
            )
        return data, code

    def _task(self, form: Form) -> tuple[Any, str]:
        titles = {name: title for name, (title, _, _) in TASKS.items()}
        first = self.start.get("task", "sine_wave")
        name = form.control(
            "task", Choice(tuple(TASKS)), first, label="Task", names=titles, parts=DATA
        )
        _, make, specs = TASKS[name]
        default = defaults(make)
        params = form.group(name, make, specs, default, {}, parts=DATA)
        changed = "".join(
            f", {key}={value!r}" for key, value in params.items() if value != default[key]
        )
        code = (
            f"from dmlib.datasets.sequences import {name}\n\n"
            f"data = {name}(random_state={form.seed}{changed})\n"
        )
        return make(**params, random_state=form.seed), code


def _text(form: Form) -> tuple[Any, str]:
    text = form.text_field(TEXT, "Text", FIRST, max_chars=MAX_LETTERS, several_lines=True)
    code = f"from dmlib.datasets.sequences import next_letters\n\ndata = next_letters({text!r})\n"
    return next_letters(text), code
