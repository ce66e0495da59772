"""scikit-learn's own tests on our classes: how they are judged, and one module of them."""

import pytest

from tests.theirs import __main__ as theirs


def test_one_module_passes():
    outcomes = theirs.run(["cluster/tests/test_dbscan.py"])
    ours = [
        test
        for test, outcome in outcomes.items()
        if outcome["ours"] and outcome["outcome"] == "passed"
    ]
    assert "cluster/tests/test_dbscan.py::test_boundaries" in outcomes
    assert len(ours) > 8
    assert theirs.judge(outcomes, [])[0] == []


@pytest.mark.parametrize(("patterns", "status"), [(["svm/tests/test_svm.py::test_a"], 0), ([], 1)])
def test_a_failure_needs_a_reason(monkeypatch, capsys, patterns, status):
    outcome = {"outcome": "failed", "ours": True, "why": "E   TypeError: shrinking"}
    monkeypatch.setattr(
        theirs, "run", lambda modules: {"svm/tests/test_svm.py::test_a[rbf]": outcome}
    )
    reasons = [theirs.Reason(each, "Why.") for each in (*patterns, "svm/tests/test_svm.py::test_b")]
    monkeypatch.setattr(theirs, "listed", lambda: reasons)
    assert theirs.main(["svm"]) == status
    out = capsys.readouterr().out
    assert ("TypeError: shrinking" in out) == bool(status)
    assert "fails no more (or is not there): svm/tests/test_svm.py::test_b" in out


def test_every_reason_is_a_sentence_for_a_module_that_is_run():
    reasons = theirs.listed()
    assert all(each.sentence.endswith(".") and len(each.sentence) > 20 for each in reasons)
    assert {each.pattern.partition("::")[0] for each in reasons} <= {*theirs.MODULES, "*"}
    assert all(each.says for each in reasons if each.pattern.endswith("*"))
