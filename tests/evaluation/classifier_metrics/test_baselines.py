import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score

from dmlib.evaluation import confusion
from dmlib.evaluation.classifier_metrics.baselines import random_guessing, zero_r

RNG = np.random.default_rng(0)
TRUTH, CALLED = RNG.choice(3, 200, p=[0.6, 0.3, 0.1]), RNG.choice(3, 200, p=[0.5, 0.2, 0.3])


def test_zero_r_is_scikit_learns_dummy():
    dummy = DummyClassifier(strategy="most_frequent").fit(TRUTH[:, None], TRUTH)
    result = zero_r(confusion(TRUTH, CALLED))
    assert result.accuracy == accuracy_score(TRUTH, dummy.predict(TRUTH[:, None]))
    assert result.kappa == 0
    assert np.isnan(result.mcc)


def test_a_guess_random_guessing_is_the_mean_of_shuffled_answers():
    result = confusion(TRUTH, CALLED)
    shuffled = np.mean(
        [confusion(TRUTH, RNG.permutation(CALLED)).matrix for _ in range(2000)], axis=0
    )
    np.testing.assert_allclose(random_guessing(result).matrix, shuffled, atol=0.5)
    assert random_guessing(result).accuracy == pytest.approx(result.chance)
    assert random_guessing(result).kappa == pytest.approx(0)
