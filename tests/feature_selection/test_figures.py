"""Figures of feature selection: errors by size, stability, circularity and all filters."""

import numpy as np
import pytest

from dmlib.feature_selection import (
    L0SVM,
    CoverageSelector,
    FilterSelector,
    RegressorSearch,
    SubsetSearch,
    WrapperSearch,
)
from dmlib.feature_selection.figures.all_filters import all_filters, filter_ranks
from dmlib.feature_selection.figures.by_size import by_size, by_size_data
from dmlib.feature_selection.figures.trust import (
    circularity_data,
    plot_circularity,
    plot_stability,
    stability_data,
)
from dmlib.feature_selection.resampling import SelectionStability, circularity
from tests.feature_selection.problems import FIVE, TEN, cars, iris


def test_the_error_by_size_falls_in_training_alone():
    data = by_size_data(cars(SubsetSearch(), TEN))
    assert data.sizes == tuple(range(11))
    assert (np.diff(data.training) <= 1e-9).all()
    assert 0 < data.sizes[data.validated.argmin()] < 10
    judged = by_size_data(cars(RegressorSearch(cv=4, random_state=0)))
    assert judged.training[0] == pytest.approx(np.var(cars(RegressorSearch()).problem.y))
    for run in (
        iris(WrapperSearch(random_state=0)),
        iris(WrapperSearch(classifier="decision_tree")),
        iris(L0SVM()),
        cars(FilterSelector()),
        cars(CoverageSelector()),
    ):
        assert by_size_data(run).sizes == tuple(range(len(run.problem.features) + 1))
        assert by_size(run).data


def test_stability_is_1_if_all_agree_and_0_by_chance():
    same = np.tile([True, False, False, True], (20, 1))
    assert SelectionStability(same).stability == pytest.approx(1)
    rng = np.random.default_rng(0)
    chance = np.array([rng.permutation(10) < 4 for _ in range(500)])
    assert SelectionStability(chance).stability == pytest.approx(0, abs=0.02)


def test_the_sweeps_have_numbers_and_report_progress():
    done = []
    data = stability_data(cars(SubsetSearch()), done.append)
    assert len(done) == 50
    assert data[0].shares[FIVE.index("wt")] > 0.6
    assert "of the resamples" in plot_stability(data).layout.title.text
    for run in (cars(SubsetSearch()), iris(FilterSelector(k=2))):
        data = circularity_data(run, done.append)
        assert data.noise_outside.mean() > data.chance + 0.1 > data.noise_inside.mean()
        assert plot_circularity(data).data


def test_selection_inside_the_fold_is_what_a_pipeline_does():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 8)), rng.integers(2, size=60)
    data = circularity(FilterSelector(k=2), X, y, classes=True, n_repetitions=12)
    assert abs(data.inside.mean() - 0.5) < 0.15
    assert data.outside.mean() > data.inside.mean()


def test_filters_disagree():
    data = filter_ranks(cars(SubsetSearch(), TEN))
    assert data.ranks.shape == (10, 10)
    assert (np.sort(data.ranks, axis=0) == np.arange(1, 11)[:, None]).all()
    assert all_filters(iris(FilterSelector())).data
