"""The check on the page asks a library the same question."""

import pytest
from numpy.testing import assert_allclose

from dmlib.classification import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from dmlib.classification.lda_classifier.reference import lda_reference
from dmlib.comparison import Incomparable, called
from dmlib.datasets import load
from dmlib.problem import prepare
from tests.runs import run_of

IRIS = load("iris")
PROBLEM = prepare(
    IRIS.frame, list(IRIS.frame.columns[:4]), target="species", labelled=True, test_size=0.3
)
MODELS = (
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(reg_param=0.2),
    RegularizedDiscriminantAnalysis(0.3, 0.2),
    RegularizedDiscriminantAnalysis(0.3, "auto"),
    DiagonalDiscriminantAnalysis(),
    DiagonalDiscriminantAnalysis(pooled=False),
)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_agrees_and_its_code_runs(model):
    run = run_of(model, PROBLEM)
    X, y = PROBLEM.training.arguments
    names = {"X": X, "y": y, "model": run.fitted}
    exec(lda_reference(run).code, names)
    for reference in (lda_reference(run).answer(run), names["reference"]):
        assert called(reference).startswith(("sklearn", "scipy"))
        expected = run.fitted.predict_proba(X)
        assert_allclose(reference.predict_proba(X), expected, rtol=1e-6, atol=1e-10)
        assert_allclose(reference.means_, run.fitted.means_)


def test_one_row_cannot_be_compared():
    run = run_of(RegularizedDiscriminantAnalysis(), [[0.0], [1.0], [2.0], [9.0]], [0, 0, 0, 1])
    with pytest.raises(Incomparable, match="from one row"):
        lda_reference(run)
