"""scikit-learn's tree is ours where it can be, and none is shown where it cannot."""

import numpy as np
import pytest

from dmlib.classification import C45, ID3, DecisionTreeClassifier, OneR
from dmlib.classification.decision_tree.reference import decision_tree_code, decision_tree_reference
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
    reference = decision_tree_reference(run_of(DecisionTreeClassifier(**params), X, y))
    ours = DecisionTreeClassifier(**params).fit(X, y)
    assert reference is not None
    np.testing.assert_allclose(reference.predict_proba(X), ours.predict_proba(X), atol=1e-9)


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


@pytest.mark.parametrize(
    "params", [{}, params_of(C45), {"max_depth": 3, "ccp_alpha": 0.01}], ids=str
)
def test_the_code_runs(params, capsys):
    X, y = iris()
    names = {"X": X, "y": y, "model": DecisionTreeClassifier(**params).fit(X, y)}
    exec(decision_tree_code(run_of(DecisionTreeClassifier(**params), X, y)), names)
    assert "|---" in capsys.readouterr().out
    assert names["reference"].score(X, y) > 0.9
