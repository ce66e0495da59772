import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning

from dmlib.classification import SVC, NuSVC
from dmlib.classification.svm.reference import svm_reference
from dmlib.comparison import Incomparable
from tests.runs import run_of

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
    run = run_of(model, X, Y)
    reference = svm_reference(run).answer(run)
    scope = {"X": X, "y": Y}
    exec(svm_reference(run).code, scope)
    fitted = model.fit(X, Y)
    for library in (reference, scope["reference"]):
        assert_allclose(library.decision_function(X), fitted.decision_function(X), atol=1e-4)
        assert_allclose(library.intercept_, fitted.intercept_, atol=1e-4)
        assert library.n_support_.tolist() == fitted.n_support_.tolist()


def test_runs_that_need_not_agree_are_not_compared():
    with pytest.raises(Incomparable):
        svm_reference(run_of(SVC(kernel="sigmoid"), X, Y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        with pytest.raises(Incomparable):
            svm_reference(run_of(SVC(max_iter=3), X, Y))
