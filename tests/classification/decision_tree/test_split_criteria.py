import numpy as np
import pandas as pd
import pytest

from dmlib.classification import DecisionTreeClassifier
from dmlib.classification.decision_tree.figures.split_criteria import (
    SHARES,
    criterion_curves,
    plot_split_criteria,
    split_criteria_data,
)
from dmlib.datasets import load
from dmlib.problem import prepare


def test_curves_are_the_formulas_of_two_equal_halves():
    curves = {name: curve for names, curve in criterion_curves() for name in names}
    p = SHARES
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.nan_to_num(-p * np.log2(p) - (1 - p) * np.log2(1 - p))
    assert curves["twoing"] == pytest.approx((2 * p - 1) ** 2)
    assert curves["auc"] == pytest.approx(abs(2 * p - 1))
    assert curves["g2"] == pytest.approx(1 - entropy)
    assert curves["dkm"] == pytest.approx(1 - 2 * np.sqrt(p * (1 - p)))
    assert curves["ort"] == pytest.approx(1 - 2 * p * (1 - p) / (p**2 + (1 - p) ** 2))


@pytest.mark.parametrize("test_size", [0.0, 0.3])
def test_trees_are_those_of_the_criteria_that_suit_the_classes(test_size):
    frame = load("penguins").frame
    names = ["flipper_length_mm", "bill_length_mm", "island"]
    problem = prepare(frame, names, target="species", labelled=True, test_size=test_size)
    data = split_criteria_data(problem, DecisionTreeClassifier(max_depth=3))
    by_name = {grown.criterion: grown for grown in data.trees}
    assert not {"ks", "auc", "dkm"} & set(by_name), "there are three classes"
    learned = problem.training
    for name, grown in by_name.items():
        tree = DecisionTreeClassifier(criterion=name, max_depth=3).fit(learned.data, learned.y)
        assert grown.n_leaves == tree.get_n_leaves()
        if test_size:
            tested = problem.testing
            assert grown.error == pytest.approx(1 - tree.score(tested.data, tested.y))
    assert data.held_out == bool(test_size)
    assert [grown.error for grown in data.trees] == sorted(grown.error for grown in data.trees)
    figure = plot_split_criteria(data)
    assert len(figure.data) == len(data.curves) + 1
    assert len(figure.data[-1].x) == len(data.trees)


def test_two_classes_take_every_criterion():
    frame = load("heart_disease").frame
    problem = prepare(frame, ["max_heart_rate", "thal"], target="narrowing", labelled=True)
    data = split_criteria_data(problem, DecisionTreeClassifier(max_depth=2))
    assert len(data.trees) == sum(len(names) for names, _ in data.curves) == 14


def test_two_rows_have_trees_too():
    frame = pd.DataFrame({"a": [0.0, 1.0], "c": list("xy")})
    problem = prepare(frame, ["a"], target="c", labelled=True)
    data = split_criteria_data(problem, DecisionTreeClassifier())
    assert {(grown.n_leaves, grown.error) for grown in data.trees} == {(2, 1.0)}
    assert plot_split_criteria(data).data
