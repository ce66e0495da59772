"""Preparing a table: choosing, scaling, labels, test rows; and the plane that shows it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import load
from dmlib.problem import MAX_CLASSES, prepare


def weather(**how):
    return prepare(
        load("weather_numeric").frame, ["outlook", "temperature", "windy"], target="play", **how
    )


def numbers(n=40, classes=2, **how):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n),
            "y": rng.normal(5, 3, n),
            "c": [f"c{i % classes}" for i in range(n)],
        }
    )
    return prepare(frame, ["x", "y"], target="c", labelled=True, **how)


# Held out


@given(st.integers(2, 60), st.integers(2, 5), st.floats(0, 0.9), st.integers(0, 99))
def test_every_class_stays_among_the_rows_that_are_learned_from(n, classes, share, seed):
    problem = numbers(max(n, classes), classes, test_size=share, random_state=seed)
    assert set(problem.training.y) == set(problem.y)
    is_test = 0 if problem.test is None else int(problem.test.sum())
    for code in range(classes):
        members = problem.y == code
        expected = min(round(share * members.sum()), members.sum() - 1)
        assert (0 if problem.test is None else problem.test[members].sum()) == expected
    assert len(problem.training.X) + is_test == len(problem.X)


def test_the_seed_chooses_who_is_held_out():
    first, repeated, other_seed = (
        numbers(test_size=0.5, random_state=seed).test for seed in (1, 1, 2)
    )
    assert (first == repeated).all()
    assert (first != other_seed).any()


@pytest.mark.parametrize("scaling", ["z-score", "min-max"])
def test_only_rows_that_are_learned_from_say_how_to_scale(scaling):
    problem = numbers(scaling=scaling, test_size=0.5)
    learned = problem.training.X
    if scaling == "z-score":
        np.testing.assert_allclose(learned.mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(learned.std(axis=0, ddof=1), 1)
    else:
        np.testing.assert_allclose(
            [learned.min(axis=0), learned.max(axis=0)], [[0, 0], [1, 1]], atol=1e-12
        )


def test_one_class_is_told_from_the_rest():
    problem = prepare(
        load("iris").frame, ["petal_length"], target="species", labelled=True, positive="virginica"
    )
    assert problem.classes == ("not virginica", "virginica")
    assert problem.y.sum() == 50
    two = weather(labelled=True, positive="no")
    assert two.classes == ("yes", "no")


# Nominal columns and holes


def test_an_algorithm_gets_the_table_back():
    problem = weather(labelled=True)
    frame = load("weather_numeric").frame
    pd.testing.assert_series_equal(
        problem.data["temperature"], frame["temperature"], check_dtype=False
    )
    assert problem.data["outlook"].astype(str).tolist() == frame["outlook"].astype(str).tolist()
    assert problem.value(0, problem.X[0, 0]) == frame["outlook"].iloc[0]


def test_holes_stay_where_they_are_wanted():
    frame = pd.DataFrame(
        {"a": [1.0, None, 3.0, 4.0], "b": ["u", "v", None, "u"], "c": ["p", "q", "p", None]}
    )
    chosen = prepare(frame, ["a", "b"], target="c", labelled=True, holes="keep")
    assert chosen.rows.tolist() == [0, 1, 2]
    assert np.isnan(chosen.X).sum() == 2
    assert chosen.data["b"].isna().tolist() == [False, False, True]
    assert np.isfinite(chosen.points).all()
    assert chosen.value(1, chosen.X[2, 1]) is None
    dropped = prepare(frame, ["a", "b"], target="c")
    assert dropped.rows.tolist() == [0, 3]
    assert dropped.classes == ("p", "(missing)")


def test_places_on_nominal_axes_are_categories():
    problem = prepare(
        load("weather_nominal").frame, ["outlook", "windy"], target="play", labelled=True
    )
    names = problem.plane.ticks
    places = problem.points
    np.testing.assert_array_equal(places.round(), problem.X)
    lifted = problem.plane.lift([[-3.0, 0.4], [99.0, 0.6]])
    assert lifted.tolist() == [[0, 0], [len(names[0]) - 1, 1]]


def test_columns_out_of_view_are_held():
    problem = weather(labelled=True, view=["temperature", "windy"])
    lifted = problem.plane.lift([[70.0, 1.0]])[0]
    outlook = problem.categories[0][int(lifted[0])]
    assert outlook == problem.data["outlook"].mode()[0]


# Queries


def test_a_query_is_a_row_or_a_place():
    problem = numbers()
    row = problem.query(sample=3)
    np.testing.assert_array_equal(row.x, problem.X[3])
    np.testing.assert_allclose(row.place, problem.points[3])
    np.testing.assert_allclose(problem.query((1.0, 2.0)).x, [1.0, 2.0])
    np.testing.assert_allclose(problem.query().place, problem.points.mean(axis=0))
    assert (problem.name(row), problem.name(problem.query())) == ("row 4", "the place")


# Refusals


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (["one"] * 50, "nothing to classify"),
        ([f"c{i}" for i in range(50)], f"at most {MAX_CLASSES}"),
        ([None] * 49 + ["x"], "at least 2"),
    ],
)
def test_a_column_that_holds_no_classes_is_refused(column, words):
    frame = pd.DataFrame({"x": np.arange(50.0), "c": pd.Series(column, dtype=object)})
    with pytest.raises(ValueError, match=words):
        prepare(frame, ["x"], target="c", labelled=True)


def test_a_class_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="no class 'maybe'"):
        weather(labelled=True, positive="maybe")


def test_holes_are_filled_with_what_the_learned_rows_say():
    frame = pd.DataFrame(
        {"a": [1.0, 3.0, None, 8.0], "b": ["u", "u", "v", None], "c": list("xxyy")}
    )
    problem = prepare(frame, ["a", "b"], target="c", labelled=True, holes="fill")
    assert problem.X.tolist() == [[1, 0], [3, 0], [4, 1], [8, 0]]
    assert "2 missing values in 2 rows are replaced" in " ".join(problem.notes)
    is_test = prepare(
        frame, ["a", "b"], target="c", labelled=True, holes="fill", test_size=0.5, random_state=1
    )
    learned = frame.loc[~is_test.test, "a"]
    assert is_test.X[2, 0] == learned.mean()


@pytest.mark.parametrize("scaling", ["none", "z-score", "min-max"])
def test_a_problem_knows_the_units_of_its_table(scaling):
    frame = pd.DataFrame({"a": [1.0, 2.0, 6.0], "b": [5.0, 5.0, 5.0]})
    problem = prepare(frame, ["a", "b"], scaling=scaling)
    np.testing.assert_allclose(problem.unscaled(problem.X), frame)


@pytest.mark.parametrize("holes", ["keep", "fill"])
def test_infinite_numbers_count_as_missing(holes):
    problem = prepare(pd.DataFrame({"a": [1.0, np.inf, 3.0, -np.inf]}), ["a"], holes=holes)
    expected = [1, np.nan, 3, np.nan] if holes == "keep" else [1, 2, 3, 2]
    np.testing.assert_array_equal(problem.X.ravel(), expected)


# Numbers to predict


def heights(n=20, features=("x",), **how):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"x": rng.normal(size=n), "z": rng.normal(size=n), "y": rng.normal(50, 9, n)}
    )
    return frame, prepare(frame, list(features), target="y", numeric_target=True, **how)


def test_a_number_over_one_feature_is_the_height_of_its_point():
    frame, problem = heights()
    np.testing.assert_array_equal(problem.points, frame[["x", "y"]])
    assert problem.plane.labels == ("x", "y")
    assert (problem.target, problem.classes, problem.numeric_target) == ("y", (), True)
    np.testing.assert_array_equal(problem.arguments[1], frame["y"])
    assert problem.labels[0] == f"row 1 · y {frame['y'][0]:.6g}"
    # A place in the plane is a value of the feature, whatever its height.
    assert problem.plane.lift([[2.0, 99.0]]).tolist() == [[2.0]]


def test_a_number_over_two_features_is_drawn_over_both():
    frame, problem = heights(features=("x", "z"))
    np.testing.assert_array_equal(problem.points, frame[["x", "z"]])
    assert problem.plane.labels == ("x", "z")
    assert not problem.upright


@pytest.mark.parametrize("hole", [None, np.nan, np.inf, -np.inf])
def test_a_row_without_a_number_to_predict_is_left_out(hole):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": pd.Series([5.0, hole, 7.0], dtype=float)})
    problem = prepare(frame, ["x"], target="y", numeric_target=True, holes="keep")
    assert problem.rows.tolist() == [0, 2]
    assert problem.y.tolist() == [5.0, 7.0]
    assert problem.notes[0] == "1 of 3 rows has no value of 'y' and cannot be used."


@given(st.integers(2, 60), st.floats(0, 1), st.integers(0, 99))
def test_the_share_of_numbers_that_is_held_out(n, share, seed):
    _, problem = heights(n, test_size=share, random_state=seed)
    is_test = 0 if problem.test is None else int(problem.test.sum())
    assert is_test == min(round(share * n), n - 2)
    assert len(problem.training.y) == n - is_test
    assert problem.training.numeric_target


def test_scaling_leaves_the_number_to_predict_alone():
    frame, problem = heights(scaling="z-score", test_size=0.3)
    np.testing.assert_array_equal(problem.y, frame["y"])
    np.testing.assert_allclose(problem.training.X.mean(axis=0), 0, atol=1e-12)
    assert problem.plane.labels == ("x (z-score)", "y")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["a", "b", "c"], "holds no numbers"),
        ([True, False, True], "holds no numbers"),
        ([1.0, 1e200, 2.0], "too large"),
    ],
)
def test_a_target_that_is_no_usable_number_is_refused(values, words):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": values})
    with pytest.raises(ValueError, match=words):
        prepare(frame, ["x"], target="y", numeric_target=True)


def test_a_class_has_the_name_of_its_column_too():
    assert weather(labelled=True).target == "play"
    assert weather(labelled=True).numeric_target is False
