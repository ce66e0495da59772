"""A draft is a smaller run of the same algorithm, or a part of a longer one."""

import numpy as np
import pytest
from sklearn.base import clone

from dmlib.classification import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    PrunedTreeClassifier,
    RandomForestClassifier,
)
from dmlib.decomposition import NMF, SVD, Autoencoder, ImageParts, ImageSVD, SparseCoding
from dmlib.similarity import DistanceConcentration

RNG = np.random.RandomState(0)
X = RNG.normal(size=(200, 3))
CLASSES = (X[:, 0] + X[:, 1] ** 2 + 0.3 * RNG.normal(size=200) > 1).astype(int)
THREE = CLASSES + (X[:, 2] > 1)
EASY = (X[:, 0] > 0).astype(int)
PICTURE = np.clip(0.5 + 0.2 * RNG.normal(size=(24, 30)), 0, 1)


def same(first, second):
    """Assert that two steps, or what they hold, are the same to the last bit."""
    if isinstance(first, np.ndarray) and first.dtype != object:
        np.testing.assert_array_equal(first, second)
    elif isinstance(first, list | tuple | np.ndarray):
        assert len(first) == len(second)
        for part, its in zip(first, second, strict=True):
            same(part, its)
    elif hasattr(first, "__dict__"):
        assert type(first) is type(second)
        for name, part in vars(first).items():
            same(part, vars(second)[name])
    else:
        np.testing.assert_equal(first, second)


LONG = {
    "bagging": (BaggingClassifier(random_state=0), (X, CLASSES)),
    "columns": (BaggingClassifier(max_features=2, random_state=0), (X, CLASSES)),
    "forest": (RandomForestClassifier(random_state=0), (X, THREE)),
    "boosted": (AdaBoostClassifier(max_depth=1), (X, CLASSES)),
    "boosted by draws": (AdaBoostClassifier(resample=True, random_state=0), (X, THREE)),
    "soon perfect": (AdaBoostClassifier(max_depth=1), (X, EASY)),
    "gradients": (GradientBoostingClassifier(max_depth=2), (X, THREE)),
    "terms": (ImageSVD(noise=0.1, random_state=0), (PICTURE,)),
    "epochs": (Autoencoder(2, random_state=0), (X,)),
    "coded": (ImageParts("sparse_coding", 4, patch=3, random_state=0), (PICTURE,)),
    "encoded": (ImageParts("autoencoder", 4, patch=3, random_state=0), (PICTURE,)),
    "parts": (ImageParts("nmf", 4, patch=3, random_state=0), (PICTURE,)),
    "dimensions": (DistanceConcentration(), (X, CLASSES)),
    "columns and noise": (
        DistanceConcentration(noise="normal", random_state=1),
        (RNG.normal(size=(40, 9)),),
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_a_run_is_a_part_of_a_longer_one(name):
    model, data = LONG[name]
    all_steps = list(clone(model).set_params(**{model.LENGTH: 15}).steps(*data))
    for n in (1, 2, 7, 15):
        shorter = clone(model).set_params(**{model.LENGTH: n})
        expected = list(shorter.steps(*data))
        enough = next(
            k
            for k in range(len(all_steps) + 1)
            if shorter.shortened(all_steps[:k], *data) is not None
        )
        assert enough <= len(expected)
        for steps in (all_steps[:enough], all_steps):
            same(shorter.shortened(steps, *data), tuple(expected))


@pytest.mark.parametrize("alpha", [0.0, 0.004, 0.05, 1e9, None])
@pytest.mark.parametrize("validation_fraction", [0.0, 0.3])
def test_another_alpha_prunes_the_tree_that_was_grown(alpha, validation_fraction):
    grown_for = PrunedTreeClassifier(
        ccp_alpha=0.5, validation_fraction=validation_fraction, random_state=0
    )
    shorter = clone(grown_for).set_params(ccp_alpha=alpha)
    all_steps, expected = list(grown_for.steps(X, THREE)), tuple(shorter.steps(X, THREE))
    assert shorter.shortened((), X, THREE) is None
    for steps in (all_steps[:1], all_steps):
        same(shorter.shortened(steps, X, THREE), expected)
        assert shorter.shortened(steps, X, THREE)[0].tree is all_steps[0].tree


SMALL_RUNS = {
    "bagging": (BaggingClassifier(n_estimators=90), (X, CLASSES), "n_estimators"),
    "small bags": (
        BaggingClassifier(n_estimators=900, max_samples=0.05),
        (X, CLASSES),
        "n_estimators",
    ),
    "forest": (RandomForestClassifier(100), (X, CLASSES), "n_estimators"),
    "gradients": (GradientBoostingClassifier(n_estimators=100), (X, CLASSES), "n_estimators"),
    "updates": (NMF(20, max_iter=1000), (np.abs(RNG.normal(size=(300, 40))),), "max_iter"),
    "epochs": (Autoencoder(20, max_iter=1000), (RNG.normal(size=(300, 40)),), "max_iter"),
    "rounds": (SparseCoding(20, max_iter=100), (RNG.normal(size=(300, 40)),), "max_iter"),
    "parts": (ImageParts("sparse_coding", 16, patch=3), (np.tile(PICTURE, (4, 4)),), "max_iter"),
}


@pytest.mark.parametrize("name", SMALL_RUNS)
def test_a_draft_is_smaller_and_its_own_draft(name):
    model, data, parameter = SMALL_RUNS[name]
    lowered = model.draft(*data)
    assert list(lowered) == [parameter]
    assert 1 <= lowered[parameter] < getattr(model, parameter)
    assert clone(model).set_params(**lowered).draft(*data) == lowered
    smallest = {parameter: 1}
    assert clone(model).set_params(**smallest).draft(*data) == smallest


def test_what_is_found_at_once_has_no_draft():
    assert SVD(2).draft(X) == {}


def test_an_ensemble_that_was_boosted_step_by_step_is_the_fitted_one():
    model = GradientBoostingClassifier(n_estimators=9, max_depth=2)
    fitted = clone(model).fit(X, THREE)
    same(clone(model).fit_from(list(model.steps(X, THREE)), X, THREE), fitted)
