"""The sixteen Boolean functions of two inputs, of which fourteen are linear."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.neural.perceptron.algorithm import Perceptron
from dmlib.neural.perceptron.neuron import LinearUnit
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

INPUTS = np.array([(0, 0), (0, 1), (1, 0), (1, 1)], float)
# By the values at these inputs, read as binary numbers:
NAMES = (
    *("FALSE", "AND", "a, not b", "a", "b, not a", "b", "XOR", "OR"),
    *("NOR", "XNOR", "not b", "b implies a", "not a", "a implies b", "NAND", "TRUE"),
)
EPOCHS = 100  # each of the fourteen needs fewer than ten
SIDE = 4  # functions in a row of the figure
CELL = 3.0  # distance between two functions
HALF_LINE = 0.75  # half the length of a line
HEIGHT = 480  # pixels


@dataclass(frozen=True)
class BooleanFunction:
    """A function of two Boolean inputs, and the perceptron that computes it."""

    name: str
    values: tuple[int, ...]  # at (0, 0), (0, 1), (1, 0), (1, 1)
    weights: Floats | None  # (3,): intercept first; None where no perceptron computes it
    mistakes: int  # in all epochs


def boolean_functions_data(fit_intercept: bool = True) -> list[BooleanFunction]:
    """Train a perceptron on each function, with or without an intercept.

    Examples
    --------
    >>> [function.name for function in boolean_functions_data() if function.weights is None]
    ['XOR', 'XNOR']
    """
    return [
        _learned(name, values, fit_intercept)
        for name, values in zip(NAMES, product((0, 1), repeat=4), strict=True)
    ]


def _learned(name: str, values: tuple[int, ...], fit_intercept: bool) -> BooleanFunction:
    """Train a perceptron on a function."""
    if len(set(values)) == 1:  # needs no line, only an intercept of its sign: a sum of 0 is "no"
        constant = np.array([float(values[0]), 0.0, 0.0])
        is_computed = fit_intercept or not values[0]
        return BooleanFunction(name, values, constant if is_computed else None, 0)
    model = Perceptron(max_iter=EPOCHS, fit_intercept=fit_intercept).fit(INPUTS, values)
    is_computed = (model.predict(INPUTS) == values).all()
    weights = np.append(model.intercept_, model.coef_) if is_computed else None
    return BooleanFunction(name, values, weights, model.n_mistakes_)


def boolean_functions(run: Run[Problem, LinearUnit]) -> go.Figure:
    """Draw the sixteen functions, with an intercept if the unit has one."""
    return plot_boolean_functions(boolean_functions_data(run.model.fit_intercept))


def plot_boolean_functions(functions: list[BooleanFunction]) -> go.Figure:
    """Draw each function as four inputs, filled where it is true, and its line."""
    figure = go.Figure()
    for i, function in enumerate(functions):
        corner = CELL * np.array([i % SIDE, SIDE - 1 - i // SIDE], float)
        places, true = INPUTS + corner, np.array(function.values, bool)
        line = _line(function.weights)
        if line is not None:
            x, y = (line + corner).T
            style = {"color": ACCENT, "width": 3}
            figure.add_scatter(x=x, y=y, mode="lines", line=style, hoverinfo="skip")
        marker = {"size": 12, "color": MUTED, "line": {"width": 2, "color": MUTED}}
        for selected, symbol in ((true, "circle"), (~true, "circle-open")):
            figure.add_scatter(
                x=places[selected, 0],
                y=places[selected, 1],
                mode="markers",
                hovertemplate=f"{_hover_text(function)}<extra></extra>",
                marker=marker | {"symbol": symbol},
            )
        title = function.name if function.weights is not None else f"{function.name}: no line"
        x, y = corner + np.array([0.5, 1.75])
        figure.add_annotation(x=x, y=y, text=title, showarrow=False)
    axis = {"visible": False, "fixedrange": True}
    figure.update_xaxes(range=[-1, SIDE * CELL - 1], **axis)
    figure.update_yaxes(range=[-0.9, SIDE * CELL - 0.8], **axis)
    n, n_linear = len(functions), sum(each.weights is not None for each in functions)
    note = "Filled: true; a goes right, b up. Constant functions need no line."
    title = f"A perceptron computes {n_linear} of the {n} Boolean functions of two inputs."
    return finish(figure, title, note, HEIGHT)


def _hover_text(function: BooleanFunction) -> str:
    if function.weights is None:
        return f"{function.name}<br>not linear"
    b, v, w = function.weights
    return f"{function.name}<br>{b:g} + {v:g} a + {w:g} b > 0<br>mistakes: {function.mistakes}"


def _line(weights: Floats | None) -> Floats | None:
    """Return the part of the line near the inputs, shape (2, 2); None for constant functions."""
    if weights is None or not weights[1:].any():
        return None
    normal = weights[1:]
    middle = np.array([0.5, 0.5])
    foot = middle - (weights[0] + normal @ middle) * normal / (normal @ normal)
    along = np.array([-normal[1], normal[0]]) / np.linalg.norm(normal)
    ends: Floats = foot + np.outer([-HALF_LINE, HALF_LINE], along)
    return ends
