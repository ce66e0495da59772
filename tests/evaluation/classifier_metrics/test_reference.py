"""scikit-learn measures the same, and the exported code computes it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris, make_classification

from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.classifier_metrics.reference import metrics_reference
from tests.runs import run_of

TWO = make_classification(80, 3, n_redundant=0, flip_y=0.2, random_state=1)
THREE = load_iris(return_X_y=True)
ALIKE = (
    "confusion_",
    "accuracy_",
    "balanced_accuracy_",
    "mcc_",
    "kappa_",
    "class_rates_",
    "quadratic_loss_",
    "informational_loss_",
)


@pytest.mark.parametrize("model", ["naive_bayes", "knn", "svm"])
@pytest.mark.parametrize("scoring", ["cross_validation", "held_out"])
@pytest.mark.parametrize("data", [TWO, THREE], ids=["two", "three"])
def test_scikit_learn_measures_the_same(data, scoring, model):
    report = ClassifierReport(model, scoring=scoring, random_state=0)
    run = run_of(report, *data)
    reference = metrics_reference(run).answer(run)
    report.fit(*data)
    for name in ALIKE:
        ours = np.asarray(getattr(report, name), float)
        if np.isfinite(ours).all() or name == "class_rates_":
            assert_allclose(ours, getattr(reference, name), err_msg=name)


def test_the_code_gives_what_the_reference_gives(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # the code saves a page
    report = ClassifierReport(random_state=0)
    run = run_of(report, *THREE)
    reference = metrics_reference(run).answer(run)
    scope = {"model": report.fit(*THREE), "y": THREE[1]}
    exec(metrics_reference(run).code, scope)
    for name in ALIKE:
        assert_allclose(getattr(scope["reference"], name), getattr(reference, name))
