"""Fourteen of the sixteen Boolean functions of two inputs are linear."""

from itertools import product

import numpy as np
import pytest

from dmlib.neural.perceptron.figures.boolean_functions import (
    INPUTS,
    NAMES,
    boolean_functions_data,
    plot_boolean_functions,
)


def by_search(values, intercepts):
    """Whether some small whole weights give these values."""
    return any(
        ((b + INPUTS @ (v, w) > 0) == values).all()
        for b, v, w in product(intercepts, np.arange(-2, 3), np.arange(-2, 3))
    )


@pytest.mark.parametrize(("intercept", "n_linear"), [(True, 14), (False, 6)])
def test_a_search_finds_the_same_functions(intercept, n_linear):
    functions = boolean_functions_data(intercept)
    intercepts = np.arange(-2, 3) + 0.5 if intercept else [0]
    is_linear = [function.weights is not None for function in functions]
    assert is_linear == [
        by_search(np.array(function.values, bool), intercepts) for function in functions
    ]
    for function in functions:
        if function.weights is not None:
            sums = function.weights[0] + INPUTS @ function.weights[1:]
            assert ((sums > 0) == np.array(function.values, bool)).all()
    assert sum(is_linear) == n_linear


def test_names_say_what_the_values_are():
    python = {
        "AND": lambda a, b: a and b,
        "OR": lambda a, b: a or b,
        "XOR": lambda a, b: a != b,
        "NOR": lambda a, b: not (a or b),
        "NAND": lambda a, b: not (a and b),
        "XNOR": lambda a, b: a == b,
        "a": lambda a, b: a,
        "b": lambda a, b: b,
        "not a": lambda a, b: not a,
        "not b": lambda a, b: not b,
        "a, not b": lambda a, b: a and not b,
        "b, not a": lambda a, b: b and not a,
        "a implies b": lambda a, b: not a or b,
        "b implies a": lambda a, b: not b or a,
        "TRUE": lambda a, b: True,
        "FALSE": lambda a, b: False,
    }
    for function in boolean_functions_data():
        values = [python[function.name](*map(bool, row)) for row in INPUTS]
        assert list(function.values) == [*map(int, values)]


def test_figure_says_how_many():
    figure = plot_boolean_functions(boolean_functions_data())
    assert "14 of the 16" in " ".join(figure.layout.title.text.split("<br>"))
    assert [note.text for note in figure.layout.annotations if "no line" in note.text] == [
        "XOR: no line",
        "XNOR: no line",
    ]
    assert len(figure.layout.annotations) == len(NAMES)
