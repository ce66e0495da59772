"""The exported code computes the same curves as the reference, and both are ours."""

from numpy.testing import assert_allclose
from sklearn.datasets import make_classification

from dmlib.evaluation import ThresholdSweep
from dmlib.evaluation.roc.reference import roc_reference
from tests.runs import run_of

X, Y = make_classification(80, 3, n_redundant=0, flip_y=0.2, random_state=1)


def test_the_code_gives_what_the_reference_gives(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # the code saves a page
    for scoring in "cross_validation", "held_out":
        model = ThresholdSweep(scoring=scoring, random_state=0)
        run = run_of(model, X, Y)
        reference = roc_reference(run).answer(run)
        scope = {"model": model.fit(X, Y)}
        exec(roc_reference(run).code, scope)
        for name in "fpr_", "tpr_", "thresholds_", "auc_", "average_precision_":
            assert_allclose(getattr(scope["reference"], name), getattr(reference, name))
            assert_allclose(getattr(model, name), getattr(reference, name))
