"""scikit-learn repeats a run, or the reference says why it cannot."""

import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble

from dmlib.classification import BaggingClassifier, RandomForestClassifier
from dmlib.classification.ensembles.reference import ensembles_reference
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run
from dmlib.problem import prepare

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": RNG.normal(size=60), "b": RNG.normal(size=60), "name": list("uvw") * 20})
FRAME["c"] = np.where(
    FRAME["a"] + 0.5 * FRAME["b"] + RNG.normal(scale=0.5, size=60) > 0, "yes", "no"
)

MODELS = [
    BaggingClassifier(n_estimators=9, max_depth=2, random_state=0),
    BaggingClassifier(
        n_estimators=9, max_features=1, bootstrap=False, max_samples=0.5, random_state=1
    ),
    RandomForestClassifier(9, min_samples_leaf=3, random_state=2),
    RandomForestClassifier(9, max_features=2, criterion="entropy", max_samples=20, random_state=3),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_reference_and_its_code_agree(model):
    run = Run.of(prepare(FRAME, ["a", "b"], target="c", labelled=True), model)
    X, y = run.problem.training.arguments
    scope = {"X": X, "y": y, "model": run.fitted}
    exec(ensembles_reference(run).code, scope)
    for reference in (ensembles_reference(run).answer(run), scope["reference"]):
        assert type(reference) is ensemble.BaggingClassifier
        np.testing.assert_array_equal(reference.predict_proba(X), run.fitted.predict_proba(X))


def test_nominal_columns_cannot_be_repeated():
    run = Run.of(prepare(FRAME, ["a", "name"], target="c", labelled=True), MODELS[0])
    with pytest.raises(Incomparable, match="numeric columns only"):
        ensembles_reference(run)
