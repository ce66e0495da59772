"""A formula of variables, read without running it, and the exact derivatives of one in x and y."""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats

LONGEST_FORMULA = 200
"""The most characters of a formula."""


@dataclass(frozen=True, eq=False)
class Dual:
    """A value with its derivatives by x and y.

    Attributes
    ----------
    value, dx, dy : ndarray
        Arrays of one shape.
    """

    value: Floats
    dx: Floats
    dy: Floats

    def times(self, slope: Floats, value: Floats) -> Dual:
        """Return a function of this by the chain rule, from its value and its derivative."""
        return Dual(value, slope * self.dx, slope * self.dy)


FUNCTIONS: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "sin": (np.sin, np.cos),
    "cos": (np.cos, lambda u: -np.sin(u)),
    "tan": (np.tan, lambda u: 1 / np.cos(u) ** 2),
    "exp": (np.exp, np.exp),
    "log": (np.log, lambda u: 1 / u),
    "sqrt": (np.sqrt, lambda u: 0.5 / np.sqrt(u)),
    "abs": (np.abs, np.sign),
    "tanh": (np.tanh, lambda u: 1 - np.tanh(u) ** 2),
}
"""The functions of one number that a formula may use, each with its derivative."""

CONSTANTS = {"pi": np.pi, "e": np.e}
QUOTED = re.compile(r"`((?:[^`]|``)+)`")
"""A variable's name between backticks; a backtick in the name is doubled."""
MAX_LISTED = 12  # variables that a sentence lists


def read_formula(text: str, variables: Sequence[str] = ("x", "y")) -> ast.expr:
    """Read a formula, and refuse all that is no arithmetic.

    Parameters
    ----------
    text : str
        As ``(1 - x)^2 + 100*(y - x^2)^2``; a power is written ``^`` or ``**``.
    variables : sequence of str
        The names that it may use. One that is no name in Python is written between backticks.

    Returns
    -------
    ast.expr
        Numbers, variables, pi, e, the four operations, powers and the functions of ``FUNCTIONS``,
        and nothing else. The ``id`` of a variable is its name, whatever its characters.

    Raises
    ------
    ValueError
        If it is too long or anything else; nothing of the text is ever run.

    Examples
    --------
    >>> type(read_formula("x^2 + y")).__name__
    'BinOp'
    >>> read_formula("`mean radius` / 2", ["mean radius"]).left.id
    'mean radius'
    """
    if len(text) > LONGEST_FORMULA:
        raise ValueError(
            f"The formula has {len(text)} characters; the limit is {LONGEST_FORMULA}. Shorten it."
        )
    names = {unicodedata.normalize("NFKC", name): name for name in variables}  # as Python does

    def placeholder(match: re.Match[str]) -> str:
        names[f"_quoted_{len(names)}"] = match[1].replace("``", "`")
        return f" {list(names)[-1]} "

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd spellings, which are refused below
            source = QUOTED.sub(placeholder, text).strip().replace("^", "**")
            tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(f"The formula cannot be read. {_hint(variables)}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    _check(tree, variables)
    return tree


def quoted(name: str) -> str:
    """Return the name of a variable as a formula has it: between backticks, if need be.

    Examples
    --------
    >>> quoted("height"), quoted("mean radius"), quoted("class")
    ('height', '`mean radius`', '`class`')
    """
    is_plain = name.isidentifier() and not keyword.iskeyword(name) and name not in CONSTANTS
    return name if is_plain else f"`{name.replace('`', '``')}`"


def _hint(variables: Sequence[str]) -> str:
    listed = ", ".join(map(quoted, variables[:MAX_LISTED]))
    more = len(variables) - MAX_LISTED
    listed += f" (and {more} more)" if more > 0 else ""
    return (
        f"Write it with {listed}, numbers, + - * / ^, brackets, pi, e and {', '.join(FUNCTIONS)}."
    )


def _check(node: ast.expr, variables: Sequence[str]) -> None:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return
        case ast.Name(id=name) if name in variables or name in CONSTANTS:
            return
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            _check(operand, variables)
        case ast.BinOp(
            op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow(), left=left, right=right
        ):
            _check(left, variables)
            _check(right, variables)
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            _check(argument, variables)
        case _:
            excerpt = ast.unparse(node)[:40]
            raise ValueError(f"The formula may not use {excerpt!r}. {_hint(variables)}")


def evaluate(node: ast.expr, x: Floats, y: Floats) -> Dual:
    """Return a formula's value and derivatives at places.

    Parameters
    ----------
    node : ast.expr
        From `read_formula`.
    x, y : ndarray
        Places, arrays of one shape.

    Returns
    -------
    Dual
        Not finite where the formula is not defined.

    Notes
    -----
    Forward-mode differentiation: exact, in a few times the time of the value.

    References
    ----------
    Wengert (1964), A simple automatic derivative evaluation program. Communications of the ACM 7.

    Examples
    --------
    >>> dual = evaluate(read_formula("x^2 * y"), np.array([3.0]), np.array([2.0]))
    >>> float(dual.value[0]), float(dual.dx[0]), float(dual.dy[0])
    (18.0, 12.0, 9.0)
    """
    with np.errstate(all="ignore"):
        return _dual(node, x, y)


def _dual(node: ast.expr, x: Floats, y: Floats) -> Dual:
    unit, null = np.ones(x.shape), np.zeros(x.shape)
    match node:
        case ast.Constant(value=value):
            return Dual(unit * float(value), null, null)  # type: ignore[arg-type]
        case ast.Name(id=name):
            variables = {"x": Dual(x, unit, null), "y": Dual(y, null, unit)}
            return variables.get(name) or Dual(unit * CONSTANTS[name], null, null)
        case ast.UnaryOp(op=op, operand=operand):
            u = _dual(operand, x, y)
            return u.times(-unit, -u.value) if isinstance(op, ast.USub) else u
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            function, slope = FUNCTIONS[name]
            u = _dual(argument, x, y)
            return u.times(slope(u.value), function(u.value))
        case ast.BinOp(left=left, op=op, right=right):
            return _operation(op, _dual(left, x, y), _dual(right, x, y))
    raise AssertionError(node)


def _operation(op: ast.operator, u: Dual, v: Dual) -> Dual:
    a, b = u.value, v.value
    match op:
        case ast.Add():
            return Dual(a + b, u.dx + v.dx, u.dy + v.dy)
        case ast.Sub():
            return Dual(a - b, u.dx - v.dx, u.dy - v.dy)
        case ast.Mult():
            return Dual(a * b, u.dx * b + a * v.dx, u.dy * b + a * v.dy)
        case ast.Div():
            return Dual(a / b, (u.dx - a / b * v.dx) / b, (u.dy - a / b * v.dy) / b)
    power = a**b
    if not (v.dx.any() or v.dy.any()):
        return u.times(np.where(b == 0, 0.0, b * a ** (b - 1)), power)
    log = np.log(a)
    return Dual(power, power * (v.dx * log + b * u.dx / a), power * (v.dy * log + b * u.dy / a))
