"""Reductions by scikit-learn, and why it cannot repeat some runs."""

import pytest

from dmlib.classification import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from dmlib.classification.multiclass.reference import multiclass_reference
from dmlib.comparison import Incomparable
from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare

IRIS = prepare(
    load("iris").frame, ["sepal_length", "petal_length"], target="species", labelled=True
)


@pytest.mark.parametrize(
    "model",
    [
        OneVsRestClassifier("svm"),
        OneVsOneClassifier("decision_tree"),
        OutputCodeClassifier(code_size=3, random_state=1),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_reference_and_its_code_agree(model):
    run = Run.of(IRIS, model)
    X, y = IRIS.training.arguments
    reference = multiclass_reference(run)
    assert reference.answer(run).predict(X).tolist() == run.fitted.predict(X).tolist()
    scope = {"X": X, "y": y, "model": run.fitted}
    exec(reference.code, scope)
    assert scope["reference"].predict(X).tolist() == run.fitted.predict(X).tolist()


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ({"code": "exhaustive"}, "only random codes"),
        ({"decoding": "hamming"}, "only random codes"),
        ({"code_size": 0.1}, "no bits"),
    ],
)
def test_what_cannot_be_repeated_is_said(params, reason):
    with pytest.raises(Incomparable, match=reason):
        multiclass_reference(Run.of(IRIS, OutputCodeClassifier(random_state=0, **params)))
