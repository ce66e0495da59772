"""A new column from a formula over the columns of a table, operation by operation."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.params import Param
from dmlib.preprocessing.transformation.algorithm import skewness
from dmlib.problem.formula import CONSTANTS, FUNCTIONS, LONGEST_FORMULA, quoted, read_formula
from dmlib.squares import LARGEST, check_largest
from dmlib.trace import look

REMEDY = "Change the formula, or take a table without such rows."
ASSIGNMENT = re.compile(r"(?:`((?:[^`]|``)++)`\s*+|([^=`]++))=(?!=)(.*)", re.DOTALL)


@dataclass(frozen=True)
class FormulaStep:
    """The formula is read, an operation computed, or the new column appended.

    Attributes
    ----------
    phase : {"read", "compute", "append"}
        The names are looked up; an operation is computed; the column is in the table.
    values : ndarray of shape (n_samples,)
        The results of the operation, or the new column; empty where the formula is read.
    part : str
        The operation with the formulas of its operands; empty but for "compute".
    operation : str
        The sign of the operation, or the name of the function.
    operands : tuple of ndarray
        The values of the operands, of shape (n_samples,); of a number, of shape ().
    columns : tuple of str
        The columns that the part names; of the other steps, those of the formula.
    """

    phase: Literal["read", "compute", "append"]
    values: Floats
    part: str = ""
    operation: str = ""
    operands: tuple[Floats, ...] = ()
    columns: tuple[str, ...] = ()


class FormulaTransformer(TransformerMixin, BaseEstimator):
    r"""Append a column that a formula computes from those of a table.

    Parameters
    ----------
    formula : str or None, default=None
        As ``bmi = weight / height^2``; without a name the new column is called like the formula.
        Names of columns that are no names in Python stand between backticks. None: the product of
        the first two columns, or the square of a single one.
    columns : sequence of str or None, default=None
        The names of the columns; None: those of a data frame, or x0, x1, ...

    Attributes
    ----------
    name_ : str
        The name of the new column.
    columns_ : tuple of str
        The names of all columns.
    values_ : ndarray of shape (n_samples,)
        The new column.
    prepared_ : ndarray of shape (n_samples, n_features + 1)
        The rows with the new column as their last.
    mean_, std_, skewness_ : float
        Mean, standard deviation (dividing by n) and absolute skewness of the new column.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If the formula is no arithmetic, names what is no column, or has no value in some row; the
        sentence names the columns.

    Notes
    -----
    O(n m) for a formula of m operations. The text is read, never run: see
    :func:`dmlib.problem.formula.read_formula`.

    References
    ----------
    P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction to Data Mining, section 2.3.5 (feature
    construction).

    Examples
    --------
    >>> model = FormulaTransformer("density = mass / volume", columns=("mass", "volume"))
    >>> model.fit_transform([[6.0, 3.0], [5.0, 2.0]]).tolist()
    [[6.0, 3.0, 2.0], [5.0, 2.0, 2.5]]
    >>> FormulaTransformer().fit([[2.0, 3.0]]).name_
    'x0 * x1'
    """

    PARAMS: ClassVar[dict[str, Param]] = {}

    def __init__(self, formula: str | None = None, *, columns: Sequence[str] | None = None) -> None:
        self.formula = formula
        self.columns = columns

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Compute the new column; ``y`` is not used."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[FormulaStep], X: ArrayLike, y: Any = None) -> Self:
        """Set the fitted attributes from steps."""
        rows = validate_data(self, X, dtype=np.float64)
        self.columns_ = self._names(X, rows.shape[1])
        self.name_, self._tree = self._read(self.columns_)
        self.values_ = steps[-1].values
        self.prepared_ = np.column_stack([rows, self.values_])
        self.mean_, self.std_ = float(self.values_.mean()), float(self.values_.std())
        self.skewness_ = skewness(self.values_[:, None])
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Return rows with the new column, shape (n_samples, n_features + 1)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return np.column_stack([rows, list(self.steps(X))[-1].values])

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns with that of the new one."""
        check_is_fitted(self)
        return np.array([*self.columns_, self.name_], dtype=object)

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[FormulaStep]:
        """Yield the formula as it is read, then the result of each operation."""
        rows = check_array(X, dtype=np.float64, estimator=self)
        check_largest(rows)
        names = self._names(X, rows.shape[1])
        _, tree = self._read(names)
        named = columns_of(tree)
        yield FormulaStep("read", np.empty(0), columns=named)
        values = yield from _compute(tree, dict(zip(names, rows.T, strict=True)))
        column = np.broadcast_to(np.asarray(values, float), len(rows)).copy()
        yield FormulaStep("append", column, columns=named)

    def expression(self, column: Callable[[str], str], function: Callable[[str], str]) -> str:
        """Return the formula in Python's notation, with names written as these say."""
        check_is_fitted(self)
        return expression(self._tree, column, function)

    def _names(self, X: Any, n_features: int) -> tuple[str, ...]:
        columns = X.columns if self.columns is None and hasattr(X, "columns") else self.columns
        names = _default_names(n_features) if columns is None else tuple(map(str, columns))
        if len(names) != n_features:
            raise ValueError(f"There are {n_features} columns, and columns has {len(names)} names.")
        return names

    def _read(self, names: Sequence[str]) -> tuple[str, ast.expr]:
        """Return the name of the new column and its formula."""
        text = default_formula(names) if self.formula is None else self.formula
        if not isinstance(text, str):
            raise ValueError(f"formula must be a text or None; it was {text!r}.")
        match = ASSIGNMENT.match(text[: LONGEST_FORMULA + 1].lstrip())
        name, formula = text.strip(), text
        if match:
            name, formula = (match[1] or "").replace("``", "`") or match[2].strip(), match[3]
        tree = read_formula(formula if len(text) <= LONGEST_FORMULA else text, names)
        if name in names:
            raise ValueError(
                f"There is a column {name} already. Write another name and = before the formula, as"
                f" new = {quoted(name)}."
            )
        return name, tree


def default_formula(names: Sequence[str]) -> str:
    """Return the product of the first two columns, or the square of a single one.

    Examples
    --------
    >>> default_formula(["mass", "mean radius"]), default_formula(["mass"])
    ('mass * `mean radius`', 'mass * mass')
    """
    return f"{quoted(names[0])} * {quoted(names[1 if len(names) > 1 else 0])}"


def columns_of(tree: ast.expr) -> tuple[str, ...]:
    """Return the columns that a formula names, in their order.

    Examples
    --------
    >>> columns_of(read_formula("b / log(a) + b * pi", ["a", "b", "c"]))
    ('b', 'a')
    """
    if isinstance(tree, ast.Name):
        return () if tree.id in CONSTANTS else (tree.id,)
    parts = tree.args if isinstance(tree, ast.Call) else ast.iter_child_nodes(tree)
    names = (name for part in parts if isinstance(part, ast.expr) for name in columns_of(part))
    return tuple(dict.fromkeys(names))


def expression(
    tree: ast.expr, column: Callable[[str], str] = str, function: Callable[[str], str] = str
) -> str:
    """Return a formula in Python's notation.

    Parameters
    ----------
    tree : expr
        From :func:`dmlib.problem.formula.read_formula`.
    column, function : callable
        How the name of a column, or of a function or constant, is written.

    Examples
    --------
    >>> tree = read_formula("log(`a b`)^2", ["a b"])
    >>> expression(tree)
    'log(a b) ** 2'
    >>> expression(tree, "frame[{!r}]".format, "np.{}".format)
    "np.log(frame['a b']) ** 2"
    """

    class Renamed(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            is_column = bool(columns_of(node))
            return ast.Name((column if is_column else function)(node.id))

        def visit_Call(self, node: ast.Call) -> ast.Call:
            assert isinstance(node.func, ast.Name)
            return ast.Call(ast.Name(function(node.func.id)), [self.visit(node.args[0])], [])

    return ast.unparse(Renamed().visit(copy.deepcopy(tree)))


def values_of(tree: ast.expr, columns: Mapping[str, Floats]) -> Floats:
    """Return the values of a formula, of shape (n_samples,); of a number, of shape ().

    Raises
    ------
    ValueError
        If it has no value in some row.

    Examples
    --------
    >>> values_of(read_formula("a^2 + 1", ["a"]), {"a": np.array([1.0, 3.0])}).tolist()
    [2.0, 10.0]
    """
    steps = _compute(tree, columns)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return np.asarray(stop.value, float)


def _default_names(n_features: int) -> tuple[str, ...]:
    return tuple(f"x{j}" for j in range(n_features))


def _compute(node: ast.expr, columns: Mapping[str, Floats]) -> Generator[FormulaStep, None, Floats]:
    """Yield the operations of a formula, innermost first; return its values, 0-d of a number."""
    look()
    match node:
        case ast.Constant(value=number):
            return np.asarray(float(number))  # type: ignore[arg-type]
        case ast.Name(id=name):
            return columns[name] if name in columns else np.asarray(CONSTANTS[name])
        case ast.UnaryOp(op=op, operand=operand):
            u = yield from _compute(operand, columns)
            sign, parts = SIGNS[type(op)], [(operand, u)]
            values = -u if sign == "−" else u
        case ast.Call(func=ast.Name(id=sign), args=[argument]):
            u = yield from _compute(argument, columns)
            parts = [(argument, u)]
            with np.errstate(all="ignore"):
                values = FUNCTIONS[sign][0](u)
        case ast.BinOp(left=first, op=op, right=second):
            a = yield from _compute(first, columns)
            b = yield from _compute(second, columns)
            sign, parts = SIGNS[type(op)], [(first, a), (second, b)]
            with np.errstate(all="ignore"):
                values = OPERATIONS[type(op)](a, b)
        case _:
            raise AssertionError(node)
    values = np.asarray(values, float)
    if not (np.abs(values) <= LARGEST).all():
        raise ValueError(_refusal(node, parts, values))
    if values.ndim:
        operands = tuple(operand for _, operand in parts)
        yield FormulaStep("compute", values, expression(node), sign, operands, columns_of(node))
    return values


OPERATIONS: dict[type[ast.operator], Callable[[Floats, Floats], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
SIGNS: dict[type[ast.operator | ast.unaryop], str] = {
    ast.Add: "+",
    ast.Sub: "−",
    ast.Mult: "·",
    ast.Div: "/",
    ast.Pow: "^",
    ast.UAdd: "+",
    ast.USub: "−",
}


def _refusal(node: ast.expr, parts: Sequence[tuple[ast.expr, Floats]], values: Floats) -> str:
    """Return the sentence on an operation that has no value in some row."""
    bad = ~(np.abs(np.atleast_1d(values)) <= LARGEST)
    where = f" in {bad.sum():,} of {len(bad):,} rows" if values.ndim else ""
    i = int(bad.argmax())
    numbers = [float(np.broadcast_to(part, bad.shape)[i]) for _, part in parts]
    terms = [expression(part) for part, _ in parts]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and numbers[1] == 0:
        is_zero = "" if terms[1] == "0" else f", and {terms[1]} is 0"
        return f"{terms[0]} cannot be divided by 0{is_zero}{where}. {REMEDY}"
    listed = " and ".join(
        f"{term} is {f'{value:.4g}'.replace('-', '−')}"
        for term, value in zip(terms, numbers, strict=True)
        if term != f"{value:g}"
    )
    because = f", as where {listed}" if listed else ""
    fault = "has no value, or one too large, for a computer"
    return f"{expression(node)} {fault}{where}{because}. {REMEDY}"
