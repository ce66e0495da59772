"""Patterns: from the library, a generator, drawn cell by cell on the picture, or from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dashboard.data.container import Container, choose_test_size
from dashboard.form import Form
from dashboard.messages import Bits, cells_of
from dashboard.settings import Settings
from dmlib.datasets import decode_patterns, drawn_patterns, encode_patterns
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.drawn.patterns import LONGEST_SIDE, MAX_DRAWN
from dmlib.problem import prepare_patterns

PATTERNS = "patterns"
FIRST = "GGzzzzzz__AA__wYMGDB"
"""The patterns that somebody finds who begins to draw."""


@dataclass(frozen=True)
class Patterns(Container):
    """Patterns of cells that are on or off.

    Parameters
    ----------
    classified : tuple of str
        The methods of a page that learn the names of the patterns as classes.
    labelled : bool
        Whether the method does.
    """

    classified: tuple[str, ...] = ()
    labelled: bool = False  # type: ignore[misc]
    kind: ClassVar[DataKind] = "patterns"
    advice: ClassVar[str] = "Choose fewer or smaller patterns."
    accepts: ClassVar[tuple[str, ...]] = (".png", ".jpg", ".jpeg", ".txt", ".csv")
    content: ClassVar[str] = (
        "An image, drawings of # and . with an empty line between two, or a pattern on each line"
    )
    reader: ClassVar[str] = "read_patterns"

    def of(self, method: str) -> Patterns:
        """Return the patterns of a method, with their classes where it learns them."""
        return replace(self, labelled=method in self.classified)

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Write each pattern as a row of zeros and ones."""
        if self.labelled:
            return _classified(data, form)
        problem = prepare_patterns(data.patterns, data.names, by_hand=data.name == "drawn")
        by_hand = ", by_hand=True" if data.name == "drawn" else ""
        code = (
            "from dmlib.problem import prepare_patterns\n\n"
            f"problem = prepare_patterns(data.patterns, data.names{by_hand})\nX = problem.data\n"
        )
        return problem, code

    def from_hand(self, form: Form) -> tuple[Any, str]:
        """Return the patterns that were drawn, with buttons for their number and size."""
        patterns = _patterns(form)
        if form.is_visible("data"):
            _size_buttons(form, patterns)
        code = (
            "from dmlib.datasets import decode_patterns, drawn_patterns\n\n"
            f"data = drawn_patterns(decode_patterns({encode_patterns(patterns)!r}))\n"
        )
        return drawn_patterns(patterns), code

    def change(self, settings: Settings, message: Mapping[str, Any]) -> Settings | None:
        """Take over the cells that were switched on the stage."""
        if message.get("name") != PATTERNS:
            return None
        patterns = cells_of(message.get("cells"), _patterns(Form(settings)).shape)
        return settings if patterns is None else _with_patterns(settings, patterns)


def _classified(data: Any, form: Form) -> tuple[Any, str]:
    """Return patterns whose names are classes; let the reader choose the test fraction."""
    test_size = choose_test_size(form)
    options: dict[str, Any] = {"labelled": True, "test_size": test_size, "random_state": form.seed}
    problem = prepare_patterns(data.patterns, data.names, **options)
    arguments = ", ".join(f"{name}={value!r}" for name, value in options.items())
    code = (
        "from dmlib.problem import prepare_patterns\n\n"
        f"problem = prepare_patterns(data.patterns, data.names, {arguments})\n"
        "X, y = problem.training.arguments\n"
    )
    return problem, code


def _patterns(form: Form) -> Bits:
    patterns: Bits = form.value(PATTERNS, decode_patterns, decode_patterns(FIRST))
    return patterns


def _with_patterns(settings: Settings, patterns: Bits) -> Settings:
    return settings.with_text(PATTERNS, encode_patterns(patterns))


def _size_buttons(form: Form, patterns: Bits) -> None:
    """Show what changes the number and the size of the drawn patterns."""
    n, height, width = patterns.shape
    form.caption(
        "Click or drag over the cells of the patterns in the picture. D, the arrow keys and space"
        " draw too."
    )
    added = np.concatenate([patterns, np.zeros_like(patterns[:1])])
    with form.row():
        _button(form, "Add pattern", added, n < MAX_DRAWN)
        _button(form, "Remove last", patterns[:-1], n > 1)
        _button(form, "Clear all", np.zeros_like(patterns), bool(patterns.any()))
    with form.row():
        _button(form, "Row +", _resized(patterns, height + 1, width), height < LONGEST_SIDE)
        _button(form, "Row −", _resized(patterns, height - 1, width), height > 1)
        _button(form, "Column +", _resized(patterns, height, width + 1), width < LONGEST_SIDE)
        _button(form, "Column −", _resized(patterns, height, width - 1), width > 1)


def _button(form: Form, label: str, patterns: Bits, is_possible: bool) -> None:
    form.button(
        f"patterns.{label}",
        label,
        lambda settings: _with_patterns(settings, patterns),
        disabled=not is_possible,
    )


def _resized(patterns: Bits, height: int, width: int) -> Bits:
    """Return patterns of another size, cut or with cells that are off."""
    part = patterns[:, :height, :width]
    n_rows, n_columns = height - part.shape[1], width - part.shape[2]
    return np.pad(part, [(0, 0), (0, max(n_rows, 0)), (0, max(n_columns, 0))])
