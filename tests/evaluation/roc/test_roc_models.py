import numpy as np
import pytest
from sklearn.datasets import make_classification

from dmlib.datasets import load
from dmlib.evaluation import ThresholdSweep
from dmlib.evaluation.roc.figures.roc_models import plot_roc_models, roc_models_data

X, Y = make_classification(100, 4, flip_y=0.2, random_state=3)


def test_each_curve_is_that_of_the_model():
    data = roc_models_data(ThresholdSweep("knn", random_state=0), X, Y)
    for name, (fpr, tpr), auc in zip(data.names, data.curves, data.aucs, strict=True):
        own = ThresholdSweep(name, random_state=0).fit(X, Y)
        np.testing.assert_array_equal(fpr, own.fpr_)
        np.testing.assert_array_equal(tpr, own.tpr_)
        assert auc == own.auc_


def test_the_best_is_named_and_the_current_is_thick():
    data = roc_models_data(ThresholdSweep("svm", random_state=0), X, Y)
    figure = plot_roc_models(data)
    assert f"{max(data.aucs):.3f}" in figure.layout.title.text
    widths = {trace.name.split(",")[0]: trace.line.width for trace in figure.data if trace.name}
    assert max(widths, key=widths.get) == "svm"
    assert len({trace.line.dash for trace in figure.data[1:]}) == len(data.names)


def test_a_column_is_drawn_only_when_it_is_on_the_screen():
    assert "column" in roc_models_data(ThresholdSweep("column"), X, Y).names
    assert "column" not in roc_models_data(ThresholdSweep("knn", random_state=0), X, Y).names


def test_models_that_cannot_use_the_table_are_named():
    frame = load("weather_nominal").frame
    y = frame.pop("play")
    data = roc_models_data(ThresholdSweep("naive_bayes", folds=3, random_state=0), frame, y)
    assert data.refused == ("logistic_regression", "svm")
    assert "logistic regression, svm" in plot_roc_models(data).layout.title.text.replace(
        "<br>", " "
    ).replace('<span style="font-size:12px">', "").replace("</span>", "")


@pytest.mark.parametrize("scoring", ["held_out", "training"])
def test_the_way_of_scoring_is_kept(scoring):
    data = roc_models_data(ThresholdSweep("knn", scoring=scoring, random_state=0), X, Y)
    own = ThresholdSweep("decision_tree", scoring=scoring, random_state=0).fit(X, Y)
    assert data.aucs[data.names.index("decision_tree")] == own.auc_
