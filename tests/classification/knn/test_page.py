"""The page of k nearest neighbours: its presets show what they promise, and k is dragged."""

import runpy
from functools import partial

import numpy as np
from sklearn.base import clone

from dmlib.classification import KNeighborsClassifier
from dmlib.classification.knn.error_curve import error_curve_data
from dmlib.datasets import load
from tests.gestures import move
from tests.visit import (
    linked,
    open_part,
    open_preset,
    picture,
    say,
    sentences_of,
    sound,
    stage,
    technique,
    visit,
    warnings,
    watched_runs,
    widgets,
)

PRESETS = {preset.title: preset for preset in technique("knn").presets}

run_of = partial(open_preset, "knn")


def errors(problem, **params):
    """Return the errors in training, leaving one out, and in the test."""
    training, testing = problem.training, problem.testing
    model = KNeighborsClassifier(**params).fit(training.data, training.y)
    loo = (model.predict(None) != training.y).mean()
    test = np.nan if testing is None else (model.predict(testing.data) != testing.y).mean()
    return (model.predict(training.data) != training.y).mean(), loo, test


def regions(run):
    return set(np.unique(np.asarray(run.surface.pixels)).tolist())


def test_wine():
    run, _, look_for = run_of("Wine, as it is and standardised")
    assert round(errors(run.problem, **run.model.get_params())[2], 2) == 0.30
    bands = np.asarray(run.surface.pixels).reshape(run.size, run.size)
    assert (bands == bands[:, :1]).mean() > 0.98
    with watched_runs() as runs:
        visit(
            "knn",
            **linked("knn", PRESETS["Wine, as it is and standardised"].settings),
            scaling="z-score",
        )
    assert round(errors(runs[-1].problem, **run.model.get_params())[2], 2) == 0.15
    assert "from 0.30 to 0.15" in look_for


def test_one_neighbour_then_many():
    run, _, look_for = run_of("One neighbour, then many")
    assert errors(run.problem, **run.model.get_params())[0] == 0
    data = error_curve_data(run.problem, run.fitted)
    assert data.best == 19
    assert "best near 19" in look_for
    loo = dict(zip(data.curve.n_neighbors.tolist(), data.curve.leave_one_out, strict=True))
    assert loo[100] > 2 * loo[19]
    assert "at 100 more than twice as bad" in look_for


def test_small_class():
    run, _, look_for = run_of("The small class disappears")
    assert np.bincount(run.problem.training.y).tolist() == [95, 10]
    assert "Ten rows are no majority of 25" in look_for
    assert regions(run) == {0}
    assert (
        errors(run.problem, n_neighbors=19)[0] < errors(run.problem, n_neighbors=20)[0] == 10 / 105
    )
    assert errors(run.problem, n_neighbors=25, weights="distance")[0] == 0


def test_nothing_to_learn():
    run = run_of("Nothing to learn").run
    data = error_curve_data(run.problem, run.fitted).curve
    assert data.train[0] == 0
    assert (np.abs(data.leave_one_out - 0.5) < 0.1).all()
    assert (np.abs(data.test - 0.5) < 0.15).all()


def test_discs():
    run = run_of("Discs, squares, diamonds").run
    joined = [
        set(
            clone(run.model)
            .set_params(metric=metric)
            .fit(run.problem.training.X, run.problem.training.y)
            .kneighbors(run.query.x[None], return_distance=False)[0]
            .tolist()
        )
        for metric in ("chebyshev", "manhattan", "euclidean")
    ]
    assert joined[0] != joined[1]
    assert joined[0] != joined[2]


def test_slant():
    run, _, look_for = run_of("A distance that knows the slant")
    loo = [
        round(errors(run.problem, **run.model.get_params() | {"metric": m})[1], 2)
        for m in ("mahalanobis", "euclidean")
    ]
    assert loo == [0.09, 0.14]
    assert "from 0.09 to 0.14" in look_for


def test_names():
    run = run_of("Names count 0 or 1").run
    distances = run.fitted.kneighbors(run.problem.table(run.query.x[None]), 24)[0]
    np.testing.assert_allclose(distances**2, (distances**2).round(), atol=1e-9)
    assert (distances[0, 2:4] == distances[0, 2]).all()


def test_k_and_the_query_are_dragged():
    page = technique("knn")
    assert move({"name": "k", "x": 11.7, "y": None}, page) == {"knn.n_neighbors": ["12"]}
    page = sound(visit("knn", query="5.5,1.8"))
    handles = {handle["name"]: handle for handle in stage(page)["handles"]}
    assert (round(handles["query"]["x"], 3), round(handles["query"]["y"], 3)) == (5.5, 1.8)
    assert picture(page)["frames"] != picture(visit("knn"))["frames"]


def test_a_clicked_row_is_classified():
    page = sound(visit("knn", point="7", test="0"))
    assert "Row 7 is predicted setosa" in stage(page)["frames"][-1]["caption"]


def test_the_scaling_is_always_in_view():
    page = visit("knn")
    assert "scaling" in {control.key for control in page.get("button_group")}


def test_more_neighbours_than_rows_are_refused_beside_k():
    page = sound(visit("knn", data="weather_nominal", test="0", **{"knn.n_neighbors": "15"}))
    (sentence,) = sentences_of(page)
    assert sentence.startswith("Of 14 training rows, 15 cannot be neighbours")


def test_zero_rows_have_no_angle():
    page = sound(visit("knn", source="draw", points="AAAB", **{"knn.metric": "cosine"}))
    assert sentences_of(page)


def test_code_of_the_largest_difference_runs(tmp_path):
    with watched_runs() as runs:
        page = visit("knn", **{"knn.p": "inf"})
    file = tmp_path / "exported.py"
    open_part(page, **{"bar.code": True})
    file.write_text(page.code[0].value, "utf-8")
    done = runpy.run_path(str(file))
    X = done["X"]
    np.testing.assert_array_equal(done["model"].predict_proba(X), runs[-1].fitted.predict_proba(X))
    np.testing.assert_allclose(
        done["reference"].kneighbors(X)[0], done["model"].kneighbors(X)[0], atol=1e-12
    )


def test_errors_are_measured_once_while_the_query_moves():
    with watched_runs() as runs:
        page = visit("knn")
        say(page, moved={"name": "query", "x": 5.0, "y": 1.5})
    first, last = runs[0], runs[-1]
    assert first.query.place != last.query.place
    assert last.made["errors"] is first.made["errors"]


def test_alike_by_their_classes():
    run, _, look_for = run_of("Alike by their classes")
    values = run.fitted.categories_[0]
    sunny = dict(
        zip(values, run.fitted.value_distances_[0][values.index("sunny")].round(9), strict=True)
    )
    assert (sunny["rainy"], sunny["overcast"]) == (0.4, 1.2)
    assert run.fitted.exemplar_weights_[5] == run.fitted.exemplar_weights_.max() == 3
    assert "0.4" in look_for
    assert "1.2" in look_for


def test_a_row_that_is_not_trusted():
    run = run_of("A row that is not trusted").run
    row = run.problem.table(run.query.x[None])
    training = run.problem.training
    answers = {}
    for weighted in (True, False):
        model = clone(run.model).set_params(weighted=weighted).fit(training.data, training.y)
        (nearest,) = model.exemplars(row)
        answers[weighted] = (
            int(training.rows[nearest]) + 1,
            run.problem.classes[training.y[nearest]],
        )
    assert answers == {True: (10, "yes"), False: (6, "no")}
    assert run.problem.classes[run.problem.y[run.query.sample]] == "yes"
    assert run.fitted.exemplar_weights_[training.rows.tolist().index(5)] == 2


def test_pebls_has_no_k():
    page = sound(visit("knn", **{"knn.method": "PEBLS"}))
    assert not {"knn.n_neighbors", "knn.pruning"} & widgets(page)
    open_part(page, **{"knn.tab": "Error against k"})
    assert "PEBLS always uses one exemplar" in " ".join(warnings(page))


def test_powers_of_very_many_columns_are_refused():
    columns = list(load("digits").numeric)
    page = sound(
        visit("knn", source="library", data="digits", **{"digits.features": columns, "knn.p": "10"})
    )
    (sentence,) = sentences_of(page)
    assert sentence.startswith("Powers of 10 of 64 columns")
