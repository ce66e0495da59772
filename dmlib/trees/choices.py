"""Prescribed splits, as a text that fits into a link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

ROOT = "r"
"""The path of the root; that of branch 0 of its branch 1 is r.1.0."""

AUTO = "auto"
ITEM = re.compile(r"(r(?:\.\d+)*)_(?:auto|(\d+)(?:_(?:in\.([\d.]+)|([-+.\de]+)))?)")


@dataclass(frozen=True)
class Prescribed:
    """A prescribed split: a column, and where to divide it."""

    column: int
    # the upper end of the first branch. Without threshold and values, the best split of the column
    # is meant
    threshold: float | None = None
    # the values of a nominal column, by their codes, that go to the first branch
    values: tuple[int, ...] | None = None


Choices = Mapping[str, Prescribed | None]
"""Path of a node -> its split; None: the criterion chooses from there on."""


def parse_choices(text: str) -> dict[str, Prescribed | None]:
    """Read prescribed splits.

    Parameters
    ----------
    text : str
        Items joined by "~". Each is the path of a node, "_", and "auto", or the number of a column,
        alone or followed by "_" and a threshold, or by "_in." and the codes of values.

    Returns
    -------
    dict of str to (Prescribed or None)
        By the path of the node.

    Raises
    ------
    ValueError
        If the text is not written so.

    Examples
    --------
    >>> parse_choices("r_2_2.45~r.1_0_in.0.2~r.0_auto")["r.1"]
    Prescribed(column=0, threshold=None, values=(0, 2))
    """
    choices: dict[str, Prescribed | None] = {}
    for item in filter(None, text.split("~")):
        match = ITEM.fullmatch(item)
        try:
            if match is None:
                raise ValueError
            path, column, values, threshold = match.groups()
            first = tuple(map(int, values.split("."))) if values else None
            cut = float(threshold) if threshold else None
            choices[path] = Prescribed(int(column), cut, first) if column else None
        except ValueError:
            raise ValueError(
                f"choices holds {item!r}, which is no prescribed split; write for example r_2_2.45"
                " or r.0_auto."
            ) from None
    return choices


def format_choices(choices: Choices) -> str:
    """Write prescribed splits as a text.

    Examples
    --------
    >>> format_choices({"r": Prescribed(2, 2.45), "r.0": None})
    'r_2_2.45~r.0_auto'
    """
    return "~".join(f"{path}_{_choice_text(choice)}" for path, choice in choices.items())


def _choice_text(choice: Prescribed | None) -> str:
    if choice is None:
        return AUTO
    if choice.values is not None:
        return f"{choice.column}_in.{'.'.join(map(str, choice.values))}"
    return (
        f"{choice.column}" if choice.threshold is None else f"{choice.column}_{choice.threshold!r}"
    )


def choose(choices: Choices, path: str, choice: Prescribed | None) -> dict[str, Prescribed | None]:
    """Return the choices with a new split at one node, and without those in its subtree.

    Examples
    --------
    >>> choose({"r": Prescribed(0), "r.1": None}, "r", Prescribed(1))
    {'r': Prescribed(column=1, threshold=None, values=None)}
    """
    subtree = f"{path}."
    outside = {
        node: prescribed
        for node, prescribed in choices.items()
        if node != path and not node.startswith(subtree)
    }
    return outside | {path: choice}
