"""Coordinate descent: against SciPy's minimum along a line, and by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from dmlib.neural import GradientDescent
from dmlib.problem import prepare_surface
from tests.visit import open_preset

slope = st.floats(-0.9, 0.9)


def places(surface, **params):
    model = GradientDescent("coordinate", **params)
    return [step.places[0] for step in model.steps(surface) if step.phase != "done"]


@given(a=st.floats(0.5, 4.0), b=st.floats(0.5, 4.0), c=slope, x=st.floats(-3, 3))
def test_each_step_ends_at_the_minimum_along_its_variable(a, b, c, x):
    """The interaction is smaller than both curvatures, so that there is one minimum."""
    surface = prepare_surface(f"{a:.6f}*x^2 + {b:.6f}*y^2 + {c:.6f}*x*y - x")
    walked = places(surface, init=[x, 2.0], max_iter=6, tol=0.0)
    for t, (before, after) in enumerate(pairwise(walked)):
        j = t % 2
        assert after[1 - j] == before[1 - j]

        def along(value, j=j, before=before):
            place = before.copy()
            place[j] = value
            return float(surface.value(place))

        assert after[j] == pytest.approx(minimize_scalar(along).x, abs=1e-5)
        assert surface.value(after) <= surface.value(before) + 1e-12


def test_it_stops_where_a_variable_has_no_curvature():
    steps = list(GradientDescent("coordinate", max_iter=4).steps(prepare_surface("x + y^2")))
    assert steps[-1].status == ("singular",)


def test_a_saddle_is_left_downhill():
    walked = places(prepare_surface("x^2 - y^2"), init=[1.0, 0.1], max_iter=4)
    assert walked[1].tolist() == pytest.approx([0.0, 0.1], abs=1e-9)
    assert np.diff([abs(place[1]) for place in walked[1:4]]).max() > 0


def test_by_hand():
    opened = open_preset("gradient_descent", "One coordinate at a time")
    steps = opened.run.trace.steps
    gradient, coordinate = 0, 1
    expected = [[2, -2], [-1.6, -2], [-1.6, -1.28], [-1.024, -1.28]]
    np.testing.assert_allclose([step.places[coordinate] for step in steps[:4]], expected)
    values = [step.values[coordinate] for step in steps[:3]]
    assert values == pytest.approx([14.4, 1.44, 0.9216])
    assert [step.values[gradient] for step in steps[1:3]] == pytest.approx([9.216, 5.89824])
