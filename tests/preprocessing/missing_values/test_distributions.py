"""Draws from fitted distributions: by hand, by SciPy, and by their moments."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dmlib.pictures.run import Run
from dmlib.preprocessing import Imputer
from dmlib.preprocessing.missing_values.distributions import KnownValues
from dmlib.preprocessing.missing_values.questions import questions
from dmlib.preprocessing.missing_values.scene import missing_values_scene
from dmlib.problem import prepare

NAN = np.nan
ROWS = [[1, 2], [2, 4], [3, 6], [4, 8], [10, NAN]]
SKEWED = KnownValues.of(np.random.RandomState(0).exponential(5.0, 200))


def test_the_normal_distribution_by_hand():
    rng = np.random.RandomState(0)
    z = rng.standard_normal()
    filled = Imputer("normal").fit_transform(ROWS)[4, 1]
    assert filled == pytest.approx(5 + np.sqrt(20 / 3) * z)
    assert stats.norm.fit([2, 4, 6, 8])[0] == 5


def test_the_kernel_density_by_hand():
    rng = np.random.RandomState(0)
    place = rng.randint(4, size=(1, 1))[0, 0]
    z = rng.standard_normal()
    bandwidth = 0.9 * min(np.sqrt(20 / 3), 3 / 1.34) / 4**0.2
    filled = Imputer("density").fit_transform(ROWS)[4, 1]
    assert filled == pytest.approx([2, 4, 6, 8][place] + bandwidth * z)


def test_draws_have_the_distribution():
    rng = np.random.RandomState(1)
    values, _ = SKEWED.draw("normal", 4000, rng)
    normal = stats.norm(SKEWED.values.mean(), SKEWED.values.std(ddof=1))
    assert stats.kstest(values, normal.cdf).pvalue > 0.001
    values, _ = SKEWED.draw("density", 4000, rng)
    kernel = stats.gaussian_kde(SKEWED.values, SKEWED.bandwidth / SKEWED.values.std(ddof=1))
    grid = np.linspace(-5, 40, 900)
    cumulated = np.array([kernel.integrate_box_1d(-np.inf, x) for x in grid])
    assert stats.kstest(values, lambda x: np.interp(x, grid, cumulated)).pvalue > 0.001
    assert stats.kstest(values, normal.cdf).pvalue < 1e-6  # which a skewed column is not


@given(
    st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=20),
    st.sampled_from(["normal", "density"]),
    st.integers(0, 5),
)
@settings(max_examples=60, deadline=None)
def test_units_and_places_go_along(values, kind, seed):
    known, moved = KnownValues.of(np.array(values)), KnownValues.of(3 * np.array(values) + 7)
    draws, rows = known.draw(kind, 8, np.random.RandomState(seed))
    others, same = moved.draw(kind, 8, np.random.RandomState(seed))
    assert others == pytest.approx(3 * draws + 7)
    assert (rows == same).all()
    if kind == "density" and len(set(values)) > 1:
        gaps = np.abs(draws - known.values[rows[:, 0]])
        assert (gaps <= 6 * known.bandwidth).all()


@pytest.mark.parametrize("kind", ["normal", "density"])
def test_a_constant_column_stays_constant(kind):
    assert Imputer(kind).fit_transform([[3.0, 1.0], [3.0, 2.0], [NAN, 4.0]])[2, 0] == 3
    assert Imputer(kind).fit_transform([[3.0, 1.0], [NAN, 4.0]])[1, 0] == 3
    # half of the values are equal, so that the quartiles are
    known = KnownValues.of(np.array([1.0, 1, 1, 1, 9]))
    assert np.isfinite(known.draw(kind, 9, np.random.RandomState(2))[0]).all()
    assert known.bandwidth == pytest.approx(0.9 * known.values.std(ddof=1) / 5**0.2)


@pytest.mark.parametrize("kind", ["normal", "density"])
def test_steps_fill_what_transform_fills(kind):
    table = np.random.RandomState(4).normal(size=(12, 3))
    table[[1, 5, 7], 0] = table[[2, 3], 2] = NAN
    model = Imputer(kind, random_state=9)
    filled = model.fit_transform(table)
    for step in model.steps(table):
        if step.phase == "draw":
            assert step.value == filled[step.row, step.column]
            if kind == "density":
                start = table[step.neighbors[0], step.column]
                bandwidth = model.known_values(step.column).bandwidth
                assert abs(step.value - start) < 6 * bandwidth
    assert (Imputer(kind, random_state=9).fit_transform(table) == filled).all()
    assert (Imputer(kind, random_state=8).fit_transform(table) != filled).any()


@pytest.mark.parametrize(
    ("kind", "origin", "line"),
    [
        ("normal", "the normal distribution fitted to y.", "x̄ + s z = 5 + 2.58199 · 1.76405 ="),
        ("density", "the kernel density of y.", "x + h z = 2 + 1.52703 · 1.12279 = 3.71454"),
    ],
)
def test_caption_and_ledger(kind, origin, line):
    frame = pd.DataFrame(ROWS, columns=["x", "y"], dtype=float)
    run = Run.of(prepare(frame, ["x", "y"], holes="keep"), Imputer(kind))
    drawn = missing_values_scene(run).frames[1]
    assert drawn.caption.endswith(f"drawn from {origin}")
    assert any(block.text.startswith(line) for block in drawn.ledger if hasattr(block, "text"))
    (question,) = questions(run)
    assert "to how many values is the distribution" in question.prompt
    assert question.answer.value == 4


def test_names_are_drawn_from_the_column():
    frame = pd.DataFrame({"x": [1.0, 2, 3, NAN], "c": ["a", "b", None, "a"]})
    run = Run.of(prepare(frame, ["x", "c"], holes="keep"), Imputer("density"))
    captions = [frame.caption for frame in missing_values_scene(run).frames]
    assert any(text.endswith("drawn at random from the known values of c.") for text in captions)
    assert any(text.endswith("drawn from the kernel density of x.") for text in captions)
