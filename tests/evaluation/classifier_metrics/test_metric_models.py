import pytest
from sklearn.datasets import make_classification

from dmlib.datasets import load
from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.classifier_metrics.figures.metric_models import (
    ATTRIBUTES,
    metric_models_data,
    plot_metric_models,
)

X, Y = make_classification(100, 4, flip_y=0.2, random_state=3)


def test_each_model_has_its_own_measures():
    data = metric_models_data(ClassifierReport("knn", cost_fn=3.0, random_state=0), X, Y)
    assert data.names[0] == "knn"
    assert data.names[-1] == "zero_r"
    for i, name in enumerate(data.names):
        own = ClassifierReport(name, cost_fn=3.0, random_state=0).fit(X, Y)
        for title, attribute in ATTRIBUTES.items():
            assert data.values[title][i] == getattr(own, attribute)


def test_the_best_is_named():
    data = metric_models_data(ClassifierReport("zero_r", random_state=0), X, Y)
    figure = plot_metric_models(data)
    best = data.names[max(range(len(data.names)), key=data.values["kappa"].__getitem__)]
    assert best.replace("_", " ") in figure.layout.title.text.replace("<br>", " ")
    assert figure.layout.yaxis.ticktext[0] == f"ZeroR, {data.values['cost per row'][0]:.3g}"
    assert [*(trace.name for trace in figure.data), "cost per row"] == list(ATTRIBUTES)


def test_models_that_cannot_use_the_table_are_named():
    frame = load("weather_nominal").frame
    y = frame.pop("play")
    data = metric_models_data(ClassifierReport(folds=3, random_state=0), frame, y)
    assert data.refused == ("logistic_regression", "svm")
    assert "svm" in plot_metric_models(data).layout.title.text


@pytest.mark.parametrize(("model", "is_measured"), [("column", True), ("knn", False)])
def test_a_column_is_measured_only_when_it_is_on_the_screen(model, is_measured):
    data = metric_models_data(ClassifierReport(model, random_state=0), X, Y)
    assert ("column" in data.names) == is_measured
