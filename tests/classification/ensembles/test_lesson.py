"""Numbers of the lesson on bagging."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import BaggingClassifier
from dmlib.classification.ensembles.bags import never_drawn
from dmlib.trace import run

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "ensembles" / "lesson.md").read_text(
    "utf-8"
)
X = np.column_stack([np.arange(1.0, 7.0), np.full(6, 5.0)])
Y = np.array(list("AABABB"))
CODES = (Y == "B").astype(int)


def test_six_rows_and_three_bags():
    steps = run(BaggingClassifier(n_estimators=3, max_depth=1, random_state=0), X, Y).steps[1:]
    assert [sorted((step.bag + 1).tolist()) for step in steps] == [
        [1, 1, 3, 3, 4, 5],
        [1, 1, 4, 4, 5, 6],
        [3, 4, 5, 6, 6, 6],
    ]
    assert all(
        "".join(f" {row}" for row in sorted((step.bag + 1).tolist())) in TEXT for step in steps
    )
    assert [step.estimator.tree_.threshold[0] for step in steps] == [2.0, 4.5, 4.5]
    assert steps[0].estimator.tree_.value[2, 0, 1] == 0.75
    assert [step.oob_error(CODES) for step in steps] == pytest.approx([0.0, 1 / 3, 1 / 4])
    assert steps[-1].votes[2].round(4).tolist() == [0.5833, 0.4167]
    assert all(f"**{number}**" in TEXT for number in ("0.75", "0.3333", "0.25", "0.5833"))


def test_probabilities_of_being_left_out():
    assert f"**{never_drawn(6, 6):.4f}**" in TEXT
    assert f"0.99^{{50}} = {never_drawn(100, 50):.3f}" in TEXT
    assert np.exp(-1) == pytest.approx(0.368, abs=5e-4)


def test_the_variance_of_a_mean_of_correlated_trees():
    T, rho = 7, 0.3
    covariance = np.full((T, T), rho) + (1 - rho) * np.eye(T)
    assert covariance.mean() == pytest.approx(0.4)  # the variance of the mean
    assert "0.3 + 0.7/7 = 0.4" in TEXT
