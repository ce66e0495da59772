"""The page of discriminant analysis: its presets show what they promise."""

import pytest

from dmlib.classification.lda_classifier.figures.logistic_rival import rival_data
from tests.visit import open_preset, sentences_of, sound, stage, upload, visit


def run_of(title, **settings):
    """Open a preset as a link; return the run, its last caption, and what to look for."""
    run, scene, look_for = open_preset("lda_classifier", title, **settings)
    return run, scene["frames"][-1]["caption"], look_for


def wrong(run):
    return int((run.fitted.predict(run.problem.training.data) != run.problem.training.y).sum())


def method(name):
    return {"lda_classifier.method": name}


def test_by_hand():
    run, caption, look_for = run_of("Four rows a class, by hand")
    assert run.fitted.coef_[0] == pytest.approx([14, -6])
    assert run.fitted.intercept_ == pytest.approx([-41])
    assert "14x − 6y = 41" in look_for
    assert "B, with probability 0.9526" in caption
    assert "0.9526" in look_for


def test_a_dense_class():
    title = "A dense class beside a loose one"
    run, caption, look_for = run_of(title)
    rival, bent, _ = run_of(title, **method("Quadratic"))
    assert (wrong(run), wrong(rival)) == (10, 2)
    assert "10 of 240 rows. Set Method to Quadratic: 2" in look_for
    assert ("straight" in caption, "curved" in bent) == (True, True)


def test_equal_means():
    run, _, look_for = run_of("Equal means")
    rival, _, _ = run_of("Equal means", **method("Quadratic"))
    assert (wrong(run), wrong(rival)) == (102, 1)
    assert 100 * 102 / 240 == 42.5
    assert "42 % of the rows. Set Method to Quadratic: 0.4 %" in look_for


def test_far_rows():
    run, _, look_for = run_of("Far rows move the line")
    assert [round(90 * error) for error in rival_data(run).errors["training"]] == [9, 3]
    assert "9 rows are misclassified" in look_for
    assert "misclassifies 3" in look_for


def test_correlation_ignored():
    run, _, look_for = run_of("Correlation ignored")
    rival, _, _ = run_of("Correlation ignored", **method("Linear"))
    assert (wrong(run), wrong(rival)) == (8, 4)
    assert "8 of 200 rows are misclassified. Set Method to Linear: 4" in look_for


def test_two_sizes():
    run, caption, _ = run_of("Two sizes of one tumour")
    assert (run.model.pooling, run.model.gamma) == (0, 0)
    assert "curved" in caption
    _, caption, _ = run_of("Two sizes of one tumour", **{"lda_classifier.pooling": "1"})
    assert "straight" in caption


def test_a_method_that_cannot_says_what_to_do():
    page = visit(
        "lda_classifier",
        data="digits",
        **method("Quadratic"),
        **{"digits.features": ["pixel_0_0", "pixel_2_4"]},
    )
    (frame,) = stage(page)["frames"]
    assert (
        "is not full rank. Increase reg_param, or leave out columns that are constant"
        in frame["caption"]
    )


def test_a_refusal_names_the_class_as_the_file_does():
    rows = "".join(f"{i},{i * i % 7},{'lone' if i == 5 else 'many'}\n" for i in range(12))
    page = sound(
        upload("lda_classifier", "rows.csv", "a,b,class\n" + rows, test="0", **method("Quadratic"))
    )
    assert any("only 1 sample in class 'lone'" in sentence for sentence in sentences_of(page))
