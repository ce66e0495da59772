"""A genetic search: every generation again from its record, its chances, and the best of all."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.feature_selection import SubsetSearch, WrapperSearch, best_subset
from dmlib.feature_selection.genetic_search import genetic_search
from tests.feature_selection.test_local_search import aic
from tests.feature_selection.test_search import data


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    p=st.integers(1, 6),
    k=st.one_of(st.none(), st.integers(1, 7)),
    mutation=st.one_of(st.none(), st.floats(0, 1)),
    population_size=st.integers(2, 9),
)
def test_every_generation_is_made_of_the_one_before(seed, p, k, mutation, population_size):
    X, y = data(seed, p=p)
    params = {"mutation": mutation, "population_size": population_size, "n_generations": 5}
    model = SubsetSearch(search="genetic", n_features_to_select=k, random_state=seed, **params)
    start, *generations, last = model.steps(X, y)
    population = start.candidates
    assert len(population) == population_size
    for step in generations:
        kept, *children = step.candidates
        assert kept == min(population, key=lambda each: (aic(X, y, each).round(9), each != kept))
        assert [child.subset for child in step.children] == children
        for child in step.children:
            assert {*child.parents} <= {*population}
            bits = [j in child.parents[j >= child.cut] for j in range(p)]
            start_set = {*np.flatnonzero(bits).tolist()}
            assert {*child.subset} == start_set ^ {*child.mutated} ^ {*child.repaired}
            assert not child.repaired or k is not None
        assert step.value == pytest.approx(min(aic(X, y, each) for each in step.candidates))
        population = step.candidates
    assert last.subset == ((generations or [start])[-1]).subset
    if k is not None:
        sizes = {len(each) for step in (start, *generations) for each in step.candidates}
        assert sizes == {min(k, p)}


class Ranks:
    """A score of three columns that prefers sets whose columns come first; large is good."""

    name, n_features, n_evaluated, prefers_first_columns = "adjusted_r2", 3, 0, False

    def __call__(self, subset):
        return float(sum(2 ** (3 - j) for j in subset))

    def compare(self, subsets):
        pass

    def parts(self, subset):
        return np.empty(0)


def test_parents_win_tournaments_and_columns_mutate_as_often_as_they_should():
    rng = np.random.RandomState(0)
    params = {"population_size": 3000, "n_generations": 1, "mutation": 0.2, "rng": rng}
    start, step, _ = genetic_search(Ranks(), None, **params)
    shares = np.array(start.values)
    parents = [parent for child in step.children for parent in child.parents]
    wins = Counter(parents)
    for subset in {*start.candidates}:
        score = Ranks()(subset)
        # The better of two that are drawn: both are no better, but not both are worse.
        expected = (shares <= score).mean() ** 2 - (shares < score).mean() ** 2
        assert wins[subset] / len(parents) == pytest.approx(expected, abs=0.02)
    flips = np.mean([len(child.mutated) for child in step.children])
    assert flips == pytest.approx(3 * 0.2, abs=0.05)
    cuts = Counter(child.cut for child in step.children)
    assert {*cuts} == {1, 2}
    assert cuts[1] / len(step.children) == pytest.approx(0.5, abs=0.05)


def test_many_generations_find_the_best_set():
    for seed in range(5):
        X, y = data(seed, p=8)
        model = SubsetSearch(search="genetic", n_generations=80, random_state=seed).fit(X, y)
        assert model.value_ == pytest.approx(best_subset(X, y).value_)


def test_without_mutation_a_column_that_no_set_has_never_comes():
    X, y = data(1, p=6)
    for seed in range(6):
        params = {"population_size": 3, "mutation": 0.0, "random_state": seed}
        steps = list(SubsetSearch(search="genetic", **params).steps(X, y))
        columns = {j for each in steps[0].candidates for j in each}
        assert {j for step in steps for each in step.candidates for j in each} <= columns


def test_two_columns_that_are_useless_alone_are_found():
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], size=(200, 4)) + rng.normal(scale=0.3, size=(200, 4))
    y = (X[:, 1] * X[:, 2] > 0).astype(int)
    model = WrapperSearch(search="genetic", classifier="knn", random_state=0).fit(X, y)
    assert model.value_ > 0.95
    assert {1, 2} <= set(model.get_support(indices=True).tolist())


@pytest.mark.parametrize("k", [None, 1, 2])
@pytest.mark.parametrize("p", [1, 2])
def test_few_columns(p, k):
    X, y = data(3, p=p)
    model = SubsetSearch(search="genetic", n_features_to_select=k, random_state=0).fit(X, y)
    assert model.n_selected_ == (min(k, p) if k else model.n_selected_)
    assert model.value_ >= best_subset(X, y).value_ - 1e-9


def test_sets_without_a_score_are_left():
    X, y = data(2, n=8, p=12)
    model = SubsetSearch(search="genetic", random_state=1).fit(X, y)
    assert np.isfinite(model.value_)
    assert model.n_selected_ <= 6
