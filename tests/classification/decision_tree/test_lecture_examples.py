"""Examples of lectures that open as presets: an owl, and who answers a letter."""

from math import log

import pytest
from sklearn.metrics import mutual_info_score

from dmlib.datasets import load
from tests.visit import open_preset

SLUG = "decision_tree"


def predicted(run, rows):
    """Return the classes that the tree of a run predicts for rows of its data."""
    codes = run.fitted.predict(rows[list(run.problem.features)])
    return [run.problem.classes[code] for code in codes]


def test_two_questions_tell_mammals_from_other_vertebrates():
    run, _, look_for = open_preset(SLUG, "Is an owl a mammal?")
    rows = load("vertebrates").frame
    by_questions = [
        "non-mammal" if cold == "yes" or feathers == "yes" else "mammal"
        for cold, feathers in zip(rows["cold_blooded"], rows["feathers"], strict=True)
    ]
    assert list(rows["class"]) == by_questions
    assert predicted(run, rows) == by_questions
    assert (run.fitted.get_n_leaves(), run.fitted.get_depth()) == (3, 2)
    assert rows["name"][15] == "owl"
    gains = {
        name: mutual_info_score(rows[name], rows["class"]) / log(2)
        for name in ("cold_blooded", "feathers")
    }
    assert (
        f"gains {gains['cold_blooded']:.4g} bits, the feathers {gains['feathers']:.3g}" in look_for
    )


def test_a_path_of_the_direct_mailing_is_a_rule():
    run, _, _ = open_preset(SLUG, "Who answers a letter?")
    rows = load("direct_mailing").frame
    is_young = rows["age"] <= 30
    by_rules = is_young & ((rows["gender"] == "male") | (rows["last_response"] == "yes"))
    assert list(rows["response"] == "yes") == list(by_rules)
    root = run.fitted.tree_
    assert root.threshold[0] == pytest.approx(30.5)
    assert run.fitted.get_n_leaves() == 4
    assert predicted(run, rows) == list(rows["response"])
