"""A typed confusion matrix: its counts come back, whatever the names, and bad lines are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix, precision_recall_fscore_support

from dmlib.datasets import confusion_table
from dmlib.evaluation import ClassifierReport
from dmlib.problem import prepare

square = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 6), min_size=k, max_size=k).filter(any), min_size=k, max_size=k
    )
)
NAMES = ["dog", "Cat", "éland", "10", "9"]


def report_of(text):
    frame = confusion_table(text).frame
    return frame, ClassifierReport("column").fit(frame[["decision"]], frame["class"])


@given(square, st.permutations(NAMES))
def test_the_counts_come_back(matrix, names):
    names = names[: len(matrix)]
    lines = [
        f"{name}: {' '.join(map(str, line))}" for name, line in zip(names, matrix, strict=True)
    ]
    for text in ("\n".join(lines), "; ".join(lines).replace(" ", "  ")):
        _, report = report_of(text)
        assert report.classes_.tolist() == sorted(names)
        order = [names.index(name) for name in report.classes_]
        assert report.confusion_.matrix.tolist() == np.array(matrix)[np.ix_(order, order)].tolist()


@given(square.filter(lambda matrix: len(matrix) > 2))
def test_measures_of_many_classes_are_scikit_learns(matrix):
    frame, report = report_of("\n".join(", ".join(map(str, line)) for line in matrix))
    truth, predicted = frame["class"], report.classes_[report.predictions_]
    assert (report.confusion_.matrix == confusion_matrix(truth, predicted)).all()
    assert (report.predict(frame[["decision"]]) == predicted).all()
    rates = precision_recall_fscore_support(truth, predicted, zero_division=np.nan)[:3]
    assert np.allclose(report.class_rates_[:, 1], rates[1])
    is_predicted = np.array(matrix).sum(axis=0) > 0
    assert np.allclose(report.class_rates_[is_predicted, 0], rates[0][is_predicted])
    assert report.confusion_.micro["recall"] == pytest.approx((truth == predicted).mean())
    assert report.confusion_.macro["recall"] == pytest.approx(rates[1].mean())
    kappa = cohen_kappa_score(truth, predicted)
    assert report.kappa_ == pytest.approx(kappa, nan_ok=True)
    assert report.probabilities_ is None


@given(square, st.permutations(NAMES))
def test_a_prepared_table_has_its_classes_in_the_same_order(matrix, names):
    frame, report = report_of(
        "\n".join(
            f"{name}: {' '.join(map(str, line))}" for name, line in zip(names, matrix, strict=False)
        )
    )
    problem = prepare(frame, ["decision"], target="class", labelled=True)
    assert list(problem.classes) == report.classes_.tolist()


def test_classes_without_names_have_letters_and_the_seed_the_order():
    assert set(confusion_table("1 2\n3 4").frame["class"]) == {"A", "B"}
    first, second = (confusion_table("9 1; 2 9", random_state=seed).frame for seed in (0, 1))
    assert not first.equals(second)
    assert first.value_counts().to_dict() == second.value_counts().to_dict()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "A confusion matrix has 2 to 12 lines, but this one has 0"),
        ("cat: 3", "this one has 1"),
        ("\n".join(["1 " * 13] * 13), "this one has 13"),
        ("cat: 3 1; dog: 2", "Class dog has a line of 1 counts, but there are 2 lines"),
        ("cat: 3 x; dog: 2 1", "Class cat has the count 'x'. Type whole numbers"),
        ("cat: 3 -1; dog: 2 1", "Class cat has the count '-1'"),
        ("cat: 3 1.5; dog: 2 1", "Class cat has the count '1.5'"),
        ("cat: 3 1; cat: 2 1", "Two lines are called cat"),
        ("cat: 0 0; dog: 2 1", "Class cat has no row"),
        ("cat: 3000 0; dog: 2 1", "The counts add up to 3,003 rows, but 2,000 are possible"),
    ],
)
def test_bad_matrices_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        confusion_table(text)


def test_a_column_must_hold_the_numbers_of_the_classes():
    with pytest.raises(ValueError, match="of 3 it must hold the number of the predicted class"):
        ClassifierReport("column").fit([[0.5], [1.0], [2.0]], ["a", "b", "c"])
