"""Options of a picture that belong to no algorithm: further panels, the cut of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from dmlib.params import Param
from dmlib.pictures.run import AnyRun


class Option(NamedTuple):
    """An option of a picture.

    Attributes
    ----------
    spec : Param
        Its values.
    default : object
        The one that the picture opens with.
    """

    spec: Param
    default: Any


def chosen(run: AnyRun, options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the value of each option: what the reader chose, or its default.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from dmlib.params import Flag, Integer
    >>> options = {"bands": Option(Flag(), True), "k": Option(Integer(1, 9), 2)}
    >>> chosen(SimpleNamespace(options={"k": 5}), options)
    {'bands': True, 'k': 5}
    """
    return {name: run.options.get(name, option.default) for name, option in options.items()}
