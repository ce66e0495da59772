"""A library's answer to the same question: code that runs, and that the reader is shown."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import numpy as np

from dmlib.comparison import Incomparable
from dmlib.pictures.run import AnyRun


class Reference:
    """A call of a function that asks a library what a run asked dmlib.

    Parameters
    ----------
    function : callable
        Imports the library and returns its fitted equivalent, or
        :class:`dmlib.comparison.Answers`. It imports all that it uses in its own body, numpy (as
        ``np``) apart.
    *data : str
        Its positional arguments, as a script names them: ``"X"``, ``"y"``, ``"model"`` (the fitted
        estimator), or an attribute of one of them, such as ``"model.order_"``.
    helpers : sequence of callable
        Functions and classes of the same module that it uses.
    **literals : object
        Its keyword arguments: numbers, texts and arrays.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import DBSCAN
    >>> from dmlib.clustering.dbscan.reference import dbscan_reference
    >>> from dmlib.pictures.run import Run
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0]}), ["a"])
    >>> run = Run.of(problem, DBSCAN(1.0, min_samples=2))
    >>> reference = dbscan_reference(run)
    >>> reference.answer(run).labels_.tolist()
    [0, 0, -1]
    >>> print(reference.code.splitlines()[-1])
    reference = fit_dbscan(X, model.order_, eps=1.0, min_samples=2, metric='euclidean')
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *data: str,
        helpers: tuple[Callable[..., Any], ...] = (),
        **literals: Any,
    ) -> None:
        self.function, self.data, self.helpers, self.literals = function, data, helpers, literals

    def answer(self, run: AnyRun) -> Any:
        """Call the function on the data of a run.

        Raises
        ------
        dmlib.comparison.Incomparable
            If the library cannot repeat the run, or is not installed.
        """
        X, *y = run.problem.training.arguments
        names = SimpleNamespace(X=X, y=y[0] if y else None, model=run.fitted)
        data = [attrgetter(name)(names) for name in self.data]
        try:
            return self.function(*data, **self.literals)
        except ModuleNotFoundError as error:
            package = str(error.name).partition(".")[0]
            raise Incomparable(
                f"{package} is not installed here. Install it with pip install {package}."
            ) from error

    @property
    def code(self) -> str:
        """The function and its call, as a script contains them after ``X``, ``y`` and ``model``."""
        functions = [plain_source(function) for function in (*self.helpers, self.function)]
        summary = (inspect.getdoc(self.function) or "").split("\n")[0]
        imports = "import numpy as np\n" if any("np." in source for source in functions) else ""
        literals = [f"{name}={_literal(value)}" for name, value in self.literals.items()]
        call = f"reference = {self.function.__name__}({', '.join([*self.data, *literals])})\n"
        return "\n\n".join([f"# {summary}\n{imports}", *functions, call])


def _literal(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()!r})"
    if isinstance(value, float) and not np.isfinite(value):
        return f'float("{value}")'
    return repr(value)


def plain_source(function: Callable[..., Any]) -> str:
    """Return the source of a function or class without docstrings and annotations.

    Examples
    --------
    >>> print(plain_source(_literal).splitlines()[0])
    def _literal(value):
    """
    source = textwrap.dedent(inspect.getsource(function))
    spans = sorted(_unneeded(ast.parse(source)), reverse=True)
    lines = source.encode().splitlines(keepends=True)
    starts = np.cumsum([0, *map(len, lines)])
    data = source.encode()
    for (line, column), (last_line, last_column) in spans:
        data = data[: starts[line - 1] + column] + data[starts[last_line - 1] + last_column :]
    return _in_one_line(data.decode())


def _in_one_line(source: str) -> str:
    """Return a source whose signature is closed up, now that it is shorter."""
    start, opening, signature = source.partition("(\n")
    parameters, closing, body = signature.partition("\n)")
    if not opening or not closing or {*"()"} & {*parameters}:
        return source
    return f"{start}({parameters.strip().removesuffix(',')}){body}"


Span = tuple[tuple[int, int], tuple[int, int]]


def _unneeded(tree: ast.Module) -> list[Span]:
    """Return docstrings and annotations as (line, byte) of their beginning and their end."""
    spans: list[Span] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            spans.append((_end_of_name(node), _end(node.annotation)))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = node.body[0]
            if ast.get_docstring(node) is not None and len(node.body) > 1:
                spans.append(((first.lineno, 0), (node.body[1].lineno, 0)))
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            returns = node.returns
            spans.append(((returns.lineno, returns.col_offset - len(" -> ")), _end(returns)))
    return spans


def _end_of_name(node: ast.arg) -> tuple[int, int]:
    return node.lineno, node.col_offset + len(node.arg.encode())


def _end(node: ast.expr) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset
