import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics
from sklearn.datasets import load_iris, make_classification

from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.classifier_metrics.figures.threshold_measures import (
    LINES,
    plot_threshold_measures,
    threshold_measures_data,
)

X, Y = make_classification(100, 4, flip_y=0.2, random_state=3)
NAMES = ("no", "yes")


@pytest.mark.parametrize("model", ["naive_bayes", "svm"])
@pytest.mark.parametrize("positive", [1, 2])
def test_each_threshold_has_the_measures_of_its_decisions(model, positive):
    report = ClassifierReport(
        model, positive=positive, cost_fp=2.0, cost_fn=3.0, random_state=0
    ).fit(X, Y)
    data = threshold_measures_data(report, Y, NAMES)
    truth = positive - 1 == Y
    assert data.positive == NAMES[positive - 1]
    assert set(data.measures) == set(LINES)
    for i in (5, 30, 80):
        called = report.scores_ >= data.thresholds[i]
        assert_allclose(data.measures["accuracy"][i], metrics.accuracy_score(truth, called))
        assert_allclose(data.measures["precision"][i], metrics.precision_score(truth, called))
        assert_allclose(data.measures["F1"][i], metrics.f1_score(truth, called))
        assert_allclose(data.measures["kappa"][i], metrics.cohen_kappa_score(truth, called))
        assert_allclose(
            data.cost[i], (2 * (called & ~truth).sum() + 3 * (~called & truth).sum()) / 100
        )


def test_the_first_threshold_calls_nobody():
    data = threshold_measures_data(ClassifierReport(random_state=0).fit(X, Y), Y, NAMES)
    assert np.isfinite(data.thresholds).all()
    assert (np.diff(data.thresholds) < 0).all()
    assert data.measures["recall"][0] == 0
    assert np.isnan(data.measures["precision"][0])


def test_the_cheapest_is_marked_and_named():
    data = threshold_measures_data(
        ClassifierReport(cost_fn=9.0, random_state=0).fit(X, Y), Y, NAMES
    )
    figure = plot_threshold_measures(data)
    assert data.cost[data.thresholds == data.cheapest] == data.cost.min()
    assert [shape.x0 for shape in figure.layout.shapes] == [0.5, data.cheapest]
    threshold = float(re.search(r"from<br>threshold (\S+) on", figure.layout.title.text)[1])
    assert ((data.thresholds >= threshold) == (data.thresholds >= data.cheapest)).all()
    assert threshold == pytest.approx(data.cheapest, rel=5e-3)


def test_of_several_classes_one_is_set_against_the_rest():
    iris, species = load_iris(return_X_y=True)
    report = ClassifierReport(positive=1, random_state=0).fit(iris, species)
    data = threshold_measures_data(report, species, ("setosa", "versicolor", "virginica"))
    assert data.measures["accuracy"].max() == 1
    figure = plot_threshold_measures(data)
    assert len(figure.layout.shapes) == 1
    assert "against all others" in figure.layout.title.text
