"""A reader's formula is arithmetic or is refused; its derivatives are right."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, rosen, rosen_der

from dmlib.problem import prepare_surface
from dmlib.problem.formula import FUNCTIONS

PLACES = np.random.default_rng(0).uniform(0.2, 2.0, (20, 2))
FORMULAS = [
    "3",
    "-x + +y",
    "x^2 * y - 2.5/y",
    "x**y",
    "x^3 - y^0 + 2^x",
    "(x + y)^1.5",
    "exp(-x^2 - y^2)*sin(3*x)",
    *(f"{name}(0.5*x*y)" for name in FUNCTIONS),
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_derivatives_are_those_of_differences(formula):
    surface = prepare_surface(formula, (0.2, 2.0, 0.2, 2.0))
    expected = [approx_fprime(place, surface.value, 1e-7) for place in PLACES]
    np.testing.assert_allclose(surface.gradient(PLACES), expected, atol=1e-4, rtol=1e-5)


def test_rosenbrock_is_scipys():
    surface = prepare_surface("(1 - x)^2 + 100*(y - x^2)^2")
    np.testing.assert_allclose(surface.value(PLACES), rosen(PLACES.T))
    np.testing.assert_allclose(surface.gradient(PLACES), [rosen_der(place) for place in PLACES])


def test_where_a_formula_is_not_defined_there_is_no_number():
    surface = prepare_surface("log(x)", (-1, 1, 0, 1))
    assert np.isnan(surface.value([-1.0, 0.0]))
    assert np.isnan(surface.value([0.0, 0.0]))
    assert surface.notes[0].startswith("The formula has no value in about 5")
    with pytest.raises(ValueError, match="no value anywhere"):
        prepare_surface("log(-1 - x^2)")


def test_a_power_of_nought_is_flat():
    surface = prepare_surface("x^0 + x^2")
    assert surface.gradient([0.0, 0.0]).tolist() == [0.0, 0.0]


def test_the_grid_follows_the_axes():
    x, y, heights = prepare_surface("x + 10*y", (0, 1, 0, 2)).grid(3)
    assert heights.tolist() == [[0, 0.5, 1], [10, 10.5, 11], [20, 20.5, 21]]
    assert (x[-1], y[-1]) == (1, 2)


@pytest.mark.parametrize(
    "formula",
    [
        "",
        "x +",
        "2x",
        "x if y else 1",
        "1if x else y",
        "__import__('os')",
        "x.real",
        "x[0]",
        "(x, y)",
        "lambda: x",
        "z",
        "True",
        "'a'",
        "1j",
        "x // y",
        "x % 2",
        "x & y",
        "x < y",
        "exp",
        "exp(x, y)",
        "exp(*x)",
        "exp(x=1)",
        "abs(abs)",
        "x := 3",
        "x\x00",
        "x; y",
        "[x for x in y]",
        "f'{x}'",
        "(" * 150,
        "-" * 200,
        "...",
        "log(x)()",
    ],
)
def test_all_that_is_no_arithmetic_is_refused(formula):
    with pytest.raises(ValueError, match=r"The formula .*\. .*\."):
        prepare_surface(formula)


@given(st.text(max_size=60) | st.text("xye0129.+-*/^() ", max_size=60))
def test_any_text_is_a_formula_or_a_value_error(text):
    with contextlib.suppress(ValueError):
        prepare_surface(text).gradient(PLACES)


def test_huge_powers_cost_nothing():
    with pytest.raises(ValueError, match="no value anywhere"):
        prepare_surface("9^9^9^9^9")
    with pytest.raises(ValueError, match="200"):
        prepare_surface("x + " * 60 + "x")


@pytest.mark.parametrize(
    "domain", [(1, 0, 0, 1), (0, 0, 0, 1), (0, np.inf, 0, 1), (np.nan, 1, 0, 1), (0, 1e9, 0, 1)]
)
def test_a_domain_is_a_box(domain):
    with pytest.raises(ValueError, match="lower to a higher"):
        prepare_surface("x", domain)
