"""scikit-learn's tree is ours where it can be, and none is shown where it cannot."""

import numpy as np
import pytest
from sklearn import tree as library

from dmlib.classification import C45, ID3, DecisionTreeClassifier, OneR
from dmlib.classification.decision_tree.reference import decision_tree_reference
from dmlib.comparison import Incomparable
from dmlib.datasets import load
from dmlib.problem import prepare
from tests.classification.decision_tree.data import params_of
from tests.runs import run_of


def iris():
    problem = prepare(
        load("iris").frame, ["petal_length", "petal_width"], target="species", labelled=True
    )
    return problem.data, problem.y


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"criterion": "entropy"},
        {"max_depth": 2},
        {"max_leaf_nodes": 4},
        {"ccp_alpha": 0.02},
        {"min_samples_leaf": 9},
    ],
    ids=str,
)
def test_it_gives_the_same_probabilities(params):
    X, y = iris()
    run = run_of(DecisionTreeClassifier(**params), X, y)
    names = {"X": X, "y": y, "model": run.fitted}
    exec(decision_tree_reference(run).code, names)
    for reference in (decision_tree_reference(run).answer(run), names["reference"]):
        assert type(reference) is library.DecisionTreeClassifier
        np.testing.assert_allclose(
            reference.predict_proba(X), run.fitted.predict_proba(X), atol=1e-9
        )


def test_none_where_scikit_learn_always_draws_another_split():
    X = np.repeat(np.arange(6.0)[:, None], 40, axis=1)
    run = run_of(DecisionTreeClassifier(), X, np.array([0, 1, 0, 1, 0, 1]))
    with pytest.raises(Incomparable, match="equally good"):
        decision_tree_reference(run).answer(run)


@pytest.mark.parametrize(
    "params",
    [params_of(C45), params_of(ID3), params_of(OneR), {"criterion": "error"}, {"choices": "r_0"}],
    ids=str,
)
def test_none_where_scikit_learn_has_no_such_tree(params):
    with pytest.raises(Incomparable):
        decision_tree_reference(run_of(DecisionTreeClassifier(**params), *iris()))


def test_none_for_names_and_missing_values():
    problem = prepare(
        load("weather_nominal").frame, ["outlook", "windy"], target="play", labelled=True
    )
    with pytest.raises(Incomparable):
        decision_tree_reference(run_of(DecisionTreeClassifier(), problem))
    X, y = iris()
    X = X.copy()
    X[0, 0] = np.nan
    with pytest.raises(Incomparable):
        decision_tree_reference(run_of(DecisionTreeClassifier(), X, y))
