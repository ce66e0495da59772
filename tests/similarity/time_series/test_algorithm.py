"""Dynamic time warping against its definition, shortest paths and all paths."""

import json
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from dmlib.similarity import DynamicTimeWarping, dtw, dtw_distance, dtw_steps, transformed
from dmlib.similarity.time_series.patterns import METRICS, PATTERNS
from dmlib.similarity.time_series.reference import MOVES, shortest_paths, window_of

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "dtw.json").read_text("utf-8"))
SERIES = st.lists(st.integers(-9, 9), min_size=1, max_size=7)
X, Y = [1, 3, 4, 2, 1, 1], [1, 1, 4, 4, 2, 1]


def by_definition(x, y, metric, pattern, allowed):
    """The recurrences of Sakoe and Chiba and of the R package dtw, cell by cell."""

    def d(i, j):
        return abs(x[i] - y[j]) if metric == "absolute" else (x[i] - y[j]) ** 2

    @cache
    def D(i, j):
        if i < 0 or j < 0 or not allowed[i, j]:
            return np.inf
        if i == j == 0:
            return d(0, 0)
        local, diagonal = d(i, j), D(i - 1, j - 1)
        if pattern == "symmetric1":
            return min(diagonal, D(i - 1, j), D(i, j - 1)) + local
        if pattern == "symmetric2":
            return min(diagonal + local, D(i - 1, j), D(i, j - 1)) + local
        if pattern == "asymmetric":
            return min(diagonal, D(i - 1, j), D(i - 1, j - 2)) + local
        down = D(i - 2, j - 1) + (2 * d(i - 1, j) if i else 0)
        right = D(i - 1, j - 2) + (2 * d(i, j - 1) if j else 0)
        return min(diagonal + local, down, right) + local

    return np.array([[D(i, j) for j in range(len(y))] for i in range(len(x))], float)


def all_paths(n, m):
    """Every warping path, by trying every move."""

    def grow(path):
        i, j = path[-1]
        if (i, j) == (n - 1, m - 1):
            yield path
        for di, dj in ((1, 1), (1, 0), (0, 1)):
            if i + di < n and j + dj < m:
                yield from grow([*path, (i + di, j + dj)])

    yield from grow([(0, 0)])


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=4),
    st.lists(st.integers(-9, 9), min_size=1, max_size=4),
)
def test_no_path_is_cheaper(x, y):
    costs = [sum(abs(x[i] - y[j]) for i, j in path) for path in all_paths(len(x), len(y))]
    result = dtw(x, y)
    assert result.cost == min(costs)
    assert sum(abs(x[i] - y[j]) for i, j in result.path) == result.cost
    assert result.path in list(all_paths(len(x), len(y)))


@pytest.mark.parametrize(
    ("pattern", "metric", "window"), [*product(PATTERNS, METRICS, (None, 1, 3))]
)
def test_the_table_is_that_of_the_definition(pattern, metric, window):
    rng = np.random.default_rng(1)
    for n, m in ((6, 6), (7, 5), (5, 8)):
        x, y = rng.normal(size=n), rng.normal(size=m)
        kind = "none" if window is None else "sakoe-chiba"
        inside = window_of(n, m, kind, radius=window, slope=1.0)
        expected = by_definition(x, y, metric, pattern, inside)
        if np.isinf(expected[-1, -1]):
            with pytest.raises(ValueError, match=r"Choose a (wider window|radius of at least)"):
                dtw(x, y, window, metric, pattern=pattern)
            continue
        result = dtw(x, y, window, metric, pattern=pattern)
        np.testing.assert_allclose(result.matrix, expected)
        assert dtw_distance(x, y, window, metric, pattern=pattern) == pytest.approx(result.distance)


@pytest.mark.parametrize(
    ("pattern", "window"), [*product(PATTERNS, ("none", "sakoe-chiba", "itakura"))]
)
def test_scipys_shortest_paths_are_as_long(pattern, window):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=40).cumsum(), rng.normal(size=34).cumsum()
    model = DynamicTimeWarping(pattern=pattern, window=window, radius=6, slope=2.5).fit(x, y)
    reference = shortest_paths(x, y, model, MOVES[pattern])
    np.testing.assert_allclose(model.matrix_, reference.matrix_)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("absolute_cost", {}),
        ("squared_cost", {"metric": "squared"}),
        ("absolute_cost_band_2", {"window": 2}),
        ("absolute_cost_symmetric2", {"pattern": "symmetric2"}),
    ],
)
def test_r_has_the_same_table(name, options):
    expected = GOLDEN["expected"][name]
    result = dtw(GOLDEN["a"], GOLDEN["b"], **options)
    assert result.cost == expected["distance"]
    matrix = np.array([[float(cell) for cell in row] for row in expected["cumulative_cost_rows_a"]])
    np.testing.assert_array_equal(result.matrix, matrix)


@given(SERIES, SERIES, st.integers(0, 6))
def test_what_always_holds(x, y, radius):
    free = dtw(x, y)
    assert free.cost == dtw(y, x).cost == dtw(x[::-1], y[::-1]).cost
    assert dtw(x, x).cost == 0
    assert free.path[0] == (0, 0)
    assert free.path[-1] == (len(x) - 1, len(y) - 1)
    moves = set(map(tuple, np.diff(free.path, axis=0).tolist()))
    assert moves <= {(1, 1), (1, 0), (0, 1)}
    radius += abs(len(x) - len(y))
    assert dtw(x, y, radius).cost >= dtw(x, y, radius + 1).cost >= free.cost
    repeated = np.repeat(x, 2)
    assert dtw(repeated, y).cost >= free.cost
    assert dtw(repeated, x).cost == 0
    if len(x) == len(y):
        assert dtw(x, y, 0).cost == np.abs(np.subtract(x, y)).sum()


@given(SERIES, SERIES)
def test_the_weights_of_a_pattern_add_up_along_its_path(x, y):
    gaps = np.abs(np.subtract.outer(x, y))
    result = dtw(x, y, pattern="symmetric2")
    weights = [1, *(sum(np.subtract(b, a)) for a, b in pairwise(result.path))]
    assert sum(weights) == len(x) + len(y) - 1
    terms = [w * gaps[i, j] for w, (i, j) in zip(weights, result.path, strict=True)]
    assert result.cost == sum(terms)


def test_the_band_and_the_parallelogram_are_convex_and_hold_both_ends():
    for n, m, slope in product((1, 2, 7, 12), (1, 2, 7, 12), (1.5, 2.0, 4.0)):
        inside = window_of(n, m, "itakura", radius=0, slope=slope)
        assert inside[0, 0]
        assert inside[-1, -1]
        model = DynamicTimeWarping(window="itakura", slope=slope)
        if reachable(inside)[-1, -1]:
            matrix = model.fit(range(n), range(m)).matrix_
            np.testing.assert_array_equal(np.isfinite(matrix), reachable(inside))


def reachable(inside):
    x, y = map(np.zeros, inside.shape)
    return np.isfinite(by_definition(x, y, "absolute", "symmetric1", inside)) & inside


def test_steps_fill_row_by_row_and_trace_back():
    steps = list(dtw_steps(X, Y))
    filled = [step for step in steps if step.phase in ("start", "cell")]
    assert [step.cell for step in filled] == list(product(range(6), range(6)))
    assert [step.n_filled for step in filled] == list(range(1, 37))
    result = dtw(X, Y)
    for step in filled[1:]:
        i, j = step.cell
        assert step.value == result.matrix[i, j]
        assert step.value == min(step.candidates) == step.candidates[step.choice]
        assert step.local == abs(X[i] - Y[j])
    traced = [step.cell for step in steps if step.phase == "trace"]
    assert traced[::-1] == result.path
    assert steps[-1].cost == result.cost
    assert steps[-1].path.tolist() == [list(pair) for pair in result.path]


def test_a_large_table_has_a_step_for_each_row():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=30), rng.normal(size=25)
    rows = [step for step in DynamicTimeWarping().steps(x, y) if step.phase in ("start", "cell")]
    matrix = dtw(x, y).matrix
    assert [step.cell for step in rows] == [(i, int(matrix[i].argmin())) for i in range(30)]


def test_derivative_and_scores():
    x = np.array([0.0, 1.0, 4.0, 9.0, 16.0])
    expected = [((b - a) + (c - a) / 2) / 2 for a, b, c in zip(x[:-2], x[1:-1], x[2:], strict=True)]
    np.testing.assert_allclose(transformed(x, "derivative"), [expected[0], *expected, expected[-1]])
    model = DynamicTimeWarping(transform="derivative")
    cost = model.fit(X, Y).cost_
    assert model.fit(X, np.add(Y, 7)).cost_ == pytest.approx(cost)
    scored = transformed([3.0, 5.0, 10.0], "z-score")
    assert scored.mean() == pytest.approx(0)
    assert scored.std() == pytest.approx(1)
    assert transformed([4.0, 4.0], "z-score").tolist() == [0, 0]
    # Rounding gives equal values a standard deviation above 0: 1.4e-17 here.
    assert transformed([0.1] * 3, "z-score").tolist() == [0, 0, 0]


def test_a_single_value_meets_all():
    assert dtw([2], [1, 2, 5]).cost == 4
    assert dtw([2], [3]).path == [(0, 0)]
    assert dtw([0] * 5, [0] * 3).cost == 0


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (([], [1]), {}, "one or more numbers"),
        (([[1, 2]], [1]), {}, "a list of one or more numbers"),
        (([1, np.nan], [1]), {}, "missing, infinite or too large"),
        (([1, 2], [np.inf]), {}, "missing, infinite or too large"),
        (([1, 2], [1, 2]), {"metric": "cosine"}, "metric must be one of absolute, squared"),
        (([1, 2], [1, 2]), {"pattern": "slanted"}, "pattern must be one of"),
        (([1, 2], [1, 2]), {"window": 1, "slope": 2.0}, "Choose one of them"),
        (([1, 2, 3, 4], [1]), {"window": 2}, "Choose a radius of at least 3"),
        (([1, 2], [1, 2]), {"window": 1.5}, "window must be a whole number"),
        (
            ([1, 2, 3, 4], [1]),
            {"pattern": "symmetricP1"},
            "Choose a wider window or another step pattern",
        ),
        ((np.zeros(100_000), np.zeros(100_000)), {}, "100,000 × 100,000 cells is too large"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        dtw(*arguments, **options)


def test_the_estimator_asks_for_a_second_series():
    with pytest.raises(ValueError, match=r"there is one\. Choose data of two series"):
        DynamicTimeWarping().fit([1.0, 2.0])
    assert clone(DynamicTimeWarping(radius=3)).radius == 3
