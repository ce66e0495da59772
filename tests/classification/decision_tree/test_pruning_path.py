import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier as Reference

from dmlib.classification import C45, DecisionTreeClassifier
from dmlib.classification.decision_tree.figures.pruning_path import (
    plot_pruning_path,
    pruning_path_data,
)
from dmlib.datasets import load
from dmlib.problem import prepare
from tests.classification.decision_tree.data import params_of


@pytest.fixture(scope="module")
def problem():
    frame = load("iris").frame
    return prepare(frame, list(frame.columns[2:4]), target="species", labelled=True, test_size=0.3)


def test_trees_and_training_errors_are_scikit_learn_s(problem):
    data = pruning_path_data(problem, DecisionTreeClassifier())
    X, y = problem.training.X, problem.training.y
    for alpha, n_leaves, error in zip(
        data.path.alphas, data.path.n_leaves, data.path.errors, strict=True
    ):
        tree = Reference(ccp_alpha=alpha + 1e-9, random_state=2).fit(X, y)
        assert tree.get_n_leaves() == n_leaves
        assert 1 - tree.score(X, y) == pytest.approx(error)


def test_best_and_simplest(problem):
    path = pruning_path_data(problem, DecisionTreeClassifier()).path
    assert path.cv_errors[path.best] == path.cv_errors.min()
    limit = path.cv_errors[path.best] + path.cv_spread[path.best]
    assert path.cv_errors[path.simplest] <= limit
    assert (path.cv_errors[path.simplest + 1 :] > limit).all()


@pytest.mark.parametrize(
    ("params", "current"),
    [({}, 0), ({"ccp_alpha": 10.0}, -1), (params_of(C45), None), ({"choices": "r_auto"}, None)],
    ids=str,
)
def test_where_the_picture_is(problem, params, current):
    data = pruning_path_data(problem, DecisionTreeClassifier(**params))
    assert data.current == (len(data.path.alphas) - 1 if current == -1 else current)
    assert plot_pruning_path(data).data


def test_few_rows_have_few_folds():
    frame = load("weather_nominal").frame
    data = pruning_path_data(
        prepare(frame.iloc[:6], ["outlook", "windy"], target="play", labelled=True),
        DecisionTreeClassifier(),
    )
    assert data.n_folds == 6
    assert np.isfinite(data.path.cv_errors).all()
    assert plot_pruning_path(data).layout.title.text
