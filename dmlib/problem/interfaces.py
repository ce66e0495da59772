"""Interfaces of a problem: what data of every kind offer, and what those of some kinds do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self, runtime_checkable

from numpy.typing import NDArray

from dmlib.problem.columns import by_name


class AnyProblem(Protocol):
    """Data of any kind, made ready for an algorithm.

    Attributes
    ----------
    rows : ndarray of shape (n,)
        Number of each part (row, basket, node, text, ...) in the data.
    notes : tuple of str
        What was done to the data, one sentence each.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem: AnyProblem = prepare(pd.DataFrame({"a": [0.0, 1.0]}), ["a"])
    >>> problem.rows.tolist()
    [0, 1]
    """

    @property
    def rows(self) -> NDArray[Any]:
        """Number of each part in the data."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on how the data were prepared."""

    @property
    def labels(self) -> Sequence[str]:
        """The tooltip of each part."""

    @property
    def labelled(self) -> bool:
        """Whether an algorithm gets a target too."""

    @property
    def data(self) -> Any:
        """The data in the form that an algorithm gets."""

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of ``fit`` and ``steps``."""

    @property
    def training(self) -> Self:
        """The problem of what is trained on."""

    @property
    def testing(self) -> Self | None:
        """The problem of what is held out; None if nothing is."""


@runtime_checkable
class HasClasses(Protocol):
    """A problem whose parts may have a target.

    Attributes
    ----------
    y : ndarray of shape (n,) or None
        Class codes, or numbers where there are no classes.
    classes : tuple of str
        Names of the codes.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> isinstance(prepare(pd.DataFrame({"a": [0.0, 1.0]}), ["a"]), HasClasses)
    True
    """

    @property
    def y(self) -> NDArray[Any] | None:
        """Class codes or numbers."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the codes."""


@runtime_checkable
class HasFeatures(Protocol):
    """A problem with named columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> isinstance(prepare(pd.DataFrame({"a": [0.0, 1.0]}), ["a"]), HasFeatures)
    True
    """

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the columns."""


def with_names(message: str, problem: object) -> str:
    """Return an algorithm's message with the names of columns and classes, where there are names.

    See Also
    --------
    dmlib.problem.by_name : The same with the names themselves.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"height": [0.0, 1.0]}), ["height"])
    >>> with_names("column 1 is constant", problem)
    "column 'height' is constant"
    """
    features = problem.features if isinstance(problem, HasFeatures) else ()
    classes = problem.classes if isinstance(problem, HasClasses) else ()
    return by_name(message, features, classes)
