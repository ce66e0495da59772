"""Figures of columns, which the nodes of a graph have not."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from dmlib.pictures.run import Run
from dmlib.problem import Problem

Figure = Callable[..., Any]


def of_columns(figure: Figure) -> Figure:
    """Decorate what is computed of a run: that on a graph is refused with a sentence.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.feature_selection import SensorPlacement
    >>> from dmlib.problem import prepare_graph
    >>> run = Run.of(prepare_graph(nx.path_graph(3)), SensorPlacement())
    >>> of_columns(lambda run: run.problem.features)(run)
    Traceback (most recent call last):
    ...
    ValueError: A graph has nodes in place of columns. Choose another method.
    """

    @wraps(figure)
    def of_run(run: Run[Any, Any], *arguments: Any) -> Any:
        if not isinstance(run.problem, Problem):
            raise ValueError("A graph has nodes in place of columns. Choose another method.")
        return figure(run, *arguments)

    return of_run
