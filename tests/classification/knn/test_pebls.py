"""PEBLS against arithmetic."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.classification import PEBLS


@parametrize_with_checks([PEBLS()])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_value_distances_by_hand():
    """P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction to Data Mining, section 5.2."""
    status = [
        "Single",
        "Married",
        "Single",
        "Married",
        "Divorced",
        "Married",
        "Divorced",
        "Single",
        "Married",
        "Single",
    ]
    refund = ["Yes", "No", "No", "Yes", "No", "No", "Yes", "No", "No", "No"]
    cheat = ["No", "No", "No", "No", "Yes", "No", "No", "Yes", "No", "Yes"]
    model = PEBLS().fit(pd.DataFrame({"status": status, "refund": refund}), cheat)
    assert model.categories_[0] == ["Divorced", "Married", "Single"]
    assert_allclose(model.value_distances_[0], [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    assert_allclose(model.value_distances_[1], [[0, 6 / 7], [6 / 7, 0]])


def test_exemplar_weights_by_hand():
    # Nearest other row: 1 for 0, 0 for 1, 1 for 3 (two away; 9 is six away), 3 for 9.
    model = PEBLS().fit([[0.0], [1.0], [3.0], [9.0]], ["a", "a", "b", "b"])
    assert_allclose(model.exemplar_weights_, [2 / 2, 3 / 2, 2 / 2, 1])
    # 2 lies in the middle of 1 and 3, but 1 was wrong once
    assert model.predict([[2.0]]).tolist() == ["b"]
    assert PEBLS(weighted=False).fit([[0.0], [1.0], [3.0], [9.0]], ["a", "a", "b", "b"]).predict(
        [[2.0]]
    ) == ["a"]


def test_an_unseen_value_goes_with_the_classes_as_they_occur():
    # half a, half b: as far from u, which is always a, as from v, which is always b, so that the
    # number decides
    model = PEBLS(weighted=False).fit(
        [["u", 0.0], ["u", 1.0], ["v", 3.0], ["v", 4.0]], ["a", "a", "b", "b"]
    )
    assert model.predict([["new", 2.9], ["new", 1.2]]).tolist() == ["b", "a"]


def test_missing_values_are_refused():
    with pytest.raises(ValueError, match="Leave out rows"):
        PEBLS().fit([["u", np.nan], ["v", 1.0]], [0, 1])


def test_steps_end_with_what_predict_says():
    rows = [["red", "s"], ["red", "m"], ["blue", "s"], ["green", "m"], ["blue", "m"]]
    model = PEBLS().fit(rows, ["a", "a", "b", "b", "a"])
    for row in rows:
        *_, last = model.explain_steps(row)
        assert last.phase == "choose"
        assert last.nearest == model.exemplars([row])[0]
        assert_allclose(last.distances, model.terms(row).sum(axis=1) * model.exemplar_weights_)


def test_equally_near_rows_are_taken_in_their_order():
    # 0.1 + 0.2 and 0.3 differ in the last digit
    model = PEBLS(weighted=False).fit(
        [[0.1, 0.2], [0.3, 0.0], [1.0, 1.0], [0.0, 1.0]], ["a", "b", "b", "b"]
    )
    assert model.exemplars([[0.0, 0.0]]).tolist() == [0]
    model = PEBLS(weighted=False).fit(
        [[0.3, 0.0], [0.1, 0.2], [1.0, 1.0], [0.0, 1.0]], ["a", "b", "b", "b"]
    )
    assert model.exemplars([[0.0, 0.0]]).tolist() == [0]
