import numpy as np
from numpy.testing import assert_allclose
from sklearn.metrics import precision_recall_fscore_support

from dmlib.evaluation import confusion
from dmlib.evaluation.classifier_metrics.figures.class_rates import (
    class_rates_data,
    plot_class_rates,
)

RNG = np.random.default_rng(0)
TRUTH, CALLED = RNG.integers(0, 3, 100), RNG.integers(0, 3, 100)
NAMES = ("a", "b", "<c>")


def test_rates_and_means_are_those_of_scikit_learn():
    data = class_rates_data(confusion(TRUTH, CALLED), NAMES)
    assert data.names == (*NAMES, "macro", "weighted", "micro")
    assert data.sizes == tuple(np.bincount(TRUTH))
    each = precision_recall_fscore_support(TRUTH, CALLED)
    for values, ours in zip(each, data.rates.values(), strict=False):
        assert_allclose(ours[:3], values)
    for i, mean in enumerate(("macro", "weighted", "micro"), start=3):
        values = precision_recall_fscore_support(TRUTH, CALLED, average=mean)
        assert_allclose([ours[i] for ours in data.rates.values()], values[:3])


def test_the_hardest_class_is_named():
    data = class_rates_data(confusion([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 0]), NAMES)
    figure = plot_class_rates(data)
    assert "&lt;c&gt;" in figure.layout.title.text
    assert [trace.name for trace in figure.data] == ["precision", "recall", "F1"]


def test_undefined_rates_are_left_out():
    figure = plot_class_rates(class_rates_data(confusion([0, 0, 1], [0, 0, 0]), ("a", "b")))
    assert np.isnan(figure.data[0].x[1])
