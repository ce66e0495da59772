import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_moons

from dmlib.classification import SVC, NuSVC
from dmlib.reference.svm import svm_code, svm_reference

X, Y = make_moons(60, noise=0.3, random_state=0)
MODELS = {
    "rbf": SVC(gamma=2.0),
    "hard": SVC(gamma=9.0, C=np.inf),
    "poly": SVC(kernel="poly", degree=2, coef0=1.0, C=10.0),
    "nu": NuSVC(nu=0.4),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_code_gives_what_the_reference_gives(name):
    model = MODELS[name]
    reference = svm_reference(model, X, Y)
    scope = {"X": X, "y": Y}
    exec(svm_code(model), scope)
    fitted = model.fit(X, Y)
    for other in (reference, scope["reference"]):
        assert_allclose(other.decision_function(X), fitted.decision_function(X), atol=1e-4)
        assert_allclose(other.intercept_, fitted.intercept_, atol=1e-4)
        assert other.n_support_.tolist() == fitted.n_support_.tolist()


def test_runs_that_need_not_agree_are_not_compared():
    assert svm_reference(SVC(kernel="sigmoid"), X, Y) is None
    assert svm_reference(SVC(max_iter=3), X, Y) is None
