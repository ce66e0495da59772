"""Searches that leave local optima, against all subsets and a replay of the draws."""

import itertools
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.utils import check_random_state

from dmlib.feature_selection import SubsetSearch, WrapperSearch, best_subset, bidirectional_search
from dmlib.feature_selection.local_search import MAX_NEIGHBOURS, most_changes, n_neighbours
from tests.feature_selection.test_search import data


def aic(X, y, subset):
    """Return Akaike's criterion of scikit-learn's least squares on some columns."""
    columns = X[:, list(subset)] if subset else np.zeros((len(X), 1))
    residual = y - LinearRegression().fit(columns, y).predict(columns)
    return len(y) * np.log(residual @ residual / len(y)) + 2 * (len(subset) + 1)


def sets_of(p):
    return [s for k in range(p + 1) for s in itertools.combinations(range(p), k)]


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    p=st.integers(1, 7),
    start=st.sampled_from(["empty", "all"]),
    scoring=st.sampled_from(["aic", "bic", "cp", "adjusted_r2"]),
    k=st.one_of(st.none(), st.integers(1, 8)),
)
def test_as_many_changes_as_columns_find_the_best_of_all_sets(seed, p, start, scoring, k):
    X, y = data(seed, p=p)
    params = {"scoring": scoring, "n_features_to_select": k}
    model = SubsetSearch(search="local", n_changes=p, start=start, **params).fit(X, y)
    best = best_subset(X, y, **params)
    assert model.value_ == pytest.approx(best.value_, rel=1e-9)
    if k is not None:
        assert model.n_selected_ == min(k, p)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), r=st.integers(1, 4), start=st.sampled_from(["empty", "all"]))
def test_every_step_goes_to_the_best_set_nearby_and_the_last_has_no_better_one(seed, r, start):
    X, y = data(seed, p=6)
    steps = list(SubsetSearch(search="local", n_changes=r, start=start).steps(X, y))
    subset = () if start == "empty" else tuple(range(6))
    values = {each: aic(X, y, each) for each in sets_of(6)}
    assert steps[0].subset == subset
    for step in steps[1:]:
        near = [each for each in values if 0 < len({*each} ^ {*subset}) <= r]
        assert set(step.candidates) == set(near)
        assert len(near) == n_neighbours(6, r)
        if step.phase == "change":
            assert step.value == pytest.approx(min(values[each] for each in near))
            assert step.value < values[subset]
            assert {*step.moved} == {*step.subset} ^ {*subset}
        else:
            assert min(values[each] for each in near) >= values[subset] - 1e-9
        subset = step.subset


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_one_change_at_once_is_the_bidirectional_search(seed):
    X, y = data(seed, p=7)
    model = SubsetSearch(search="local", n_changes=1).fit(X, y)
    assert model.subsets_ == bidirectional_search(X, y).subsets_


def test_two_columns_that_are_useless_alone_are_found_two_at_once():
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], size=(200, 4)) + rng.normal(scale=0.3, size=(200, 4))
    y = (X[:, 1] * X[:, 2] > 0).astype(int)
    # Chance may let in a column of noise first; the pair is what the second change is for.
    one, two = (
        WrapperSearch(search="local", classifier="knn", n_changes=r, random_state=0).fit(X, y)
        for r in (1, 2)
    )
    assert one.value_ < 0.7
    assert two.value_ > 0.95
    assert {1, 2} <= set(two.get_support(indices=True).tolist())


def test_too_many_sets_are_refused_with_what_is_possible():
    X, y = data(0, n=60, p=30)
    with pytest.raises(ValueError, match=r"make 4,525 sets .* at most 1,023 .* at most 2,"):
        SubsetSearch(search="local", n_changes=3).fit(X, y)
    assert SubsetSearch(search="local", n_changes=2).fit(X, y).n_selected_ > 0
    for p in range(1, 50):
        assert n_neighbours(p, most_changes(p)) <= max(MAX_NEIGHBOURS, p)


# --- simulated annealing --------------------------------------------------------------------------


def replayed(X, y, seed, n_iter, cooling, temperature=None, k=None):
    """Return the sets of annealing with the temperatures, from the same draws."""
    p, rng = X.shape[1], check_random_state(seed)
    drawn = np.flatnonzero(rng.randint(2, size=p)) if k is None else rng.permutation(p)[:k]
    subset = frozenset(drawn.tolist())
    if temperature is None:
        temperature = np.std([aic(X, y, sorted(subset ^ {j})) for j in range(p)])
    way, heats = [subset], [temperature]
    for i in range(n_iter):
        if k is None:
            new = subset ^ {rng.randint(p)}
        else:
            gone = sorted(subset)[rng.randint(k)]
            new = subset - {gone} | {sorted(set(range(p)) - subset)[rng.randint(p - k)]}
        worse = aic(X, y, sorted(new)) - aic(X, y, sorted(subset))
        heats.append(temperature * cooling**i)
        if rng.uniform() < (1 if worse <= 0 else exp(-worse / heats[-1])):
            subset = frozenset(new)
        way.append(subset)
    return way, heats


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    k=st.one_of(st.none(), st.integers(1, 4)),
    temperature=st.one_of(st.none(), st.floats(0.01, 100)),
    cooling=st.floats(0.5, 1),
)
def test_annealing_is_what_the_draws_say(seed, k, temperature, cooling):
    X, y = data(seed, p=5)
    params = {"n_iter": 30, "cooling": cooling, "temperature": temperature}
    model = SubsetSearch(search="annealing", n_features_to_select=k, random_state=seed, **params)
    *steps, last = model.steps(X, y)
    way, heats = replayed(X, y, seed, k=k, **params)
    assert [frozenset(step.subset) for step in steps] == way
    np.testing.assert_allclose([step.temperature for step in steps], heats, rtol=1e-6)
    assert last.value == pytest.approx(min(aic(X, y, sorted(each)) for each in way))


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_the_answer_of_annealing_is_the_best_set_that_was_proposed(seed):
    X, y = data(seed)
    steps = list(SubsetSearch(search="annealing", n_iter=40, random_state=seed).steps(X, y))
    seen = [steps[0].value, *(value for step in steps[1:] for value in step.values)]
    assert steps[-1].value == min(seen)
    for step in steps[1:-1]:
        assert (step.phase == "accept") == (step.draw < step.chance)
        assert 0 <= step.chance <= 1


def test_long_and_slow_annealing_finds_the_best_set():
    for seed in range(5):
        X, y = data(seed, p=8)
        params = {"n_iter": 1500, "cooling": 0.995, "random_state": seed}
        model = SubsetSearch(search="annealing", **params).fit(X, y)
        assert model.value_ == pytest.approx(best_subset(X, y).value_)


@pytest.mark.parametrize("k", [None, 1, 2])
@pytest.mark.parametrize("p", [1, 2])
def test_annealing_of_few_columns(p, k):
    X, y = data(3, p=p)
    model = SubsetSearch(search="annealing", n_features_to_select=k, random_state=0).fit(X, y)
    assert model.n_selected_ == (min(k, p) if k else model.n_selected_)
    assert model.value_ >= best_subset(X, y).value_ - 1e-9


def test_sets_without_a_score_are_left():
    X, y = data(2, n=8, p=12)
    model = SubsetSearch(search="annealing", n_iter=300, random_state=1).fit(X, y)
    assert np.isfinite(model.value_)
    assert model.n_selected_ <= 6


def test_constant_columns_have_a_temperature_all_the_same():
    X = np.ones((12, 3))
    steps = list(SubsetSearch(search="annealing", random_state=0).steps(X, np.arange(12.0)))
    assert all(step.temperature > 0 for step in steps[:-1])
