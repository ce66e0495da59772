"""The picture of k nearest neighbours: its arithmetic, who joins when, and what is drawn of it."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from dmlib.classification import KNeighborsClassifier
from dmlib.classification.knn.scene import PRUNED, knn_scene, too_many_neighbors
from dmlib.datasets import load, make
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Line, Points, Rects, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, result, tables


def table(name, features=None, **how):
    data = load(name)
    features = features or [column for column in data.frame.columns if column != data.target]
    return prepare(data.frame, features, target=data.target, labelled=True, **how)


FLOWERS = ["petal_length", "petal_width"]
PROBLEMS = {
    "iris": table("iris", FLOWERS, test_size=0.3),
    "four columns": table("iris", test_size=0.3),
    "components": table("iris", view="pca", scaling="z-score"),
    "wine": table("wine", ["alcohol", "proline"], scaling="min-max", test_size=0.3),
    "names": table("weather_nominal"),
    "mixed": table("weather_numeric"),
}
METRICS = ("euclidean", "manhattan", "chebyshev", "minkowski", "mahalanobis", "cosine")
CASES = [
    (name, metric)
    for name in PROBLEMS
    for metric in METRICS
    if not PROBLEMS[name].categories or metric not in ("mahalanobis", "cosine")
]


def scene_and_model(problem, query=None, pruning=True, **params):
    """Return the scene, and the fitted classifier."""
    run = Run.of(
        problem, KNeighborsClassifier(**params), query=query, options={"pruning": pruning}, size=10
    )
    return knn_scene(run), run.fitted


@pytest.fixture(params=CASES, ids=" ".join)
def case(request):
    name, metric = request.param
    problem = PROBLEMS[name]
    query = problem.query(sample=3)
    scene, model = scene_and_model(problem, query, metric=metric, p=3, n_neighbors=7)
    return problem, query, scene, model


def value_of(formula):
    """Compute the left side of a formula."""
    text = formula.replace("−", "-").replace("²", "**2").replace("^", "**").replace("√", "np.sqrt")
    text = re.sub(
        r"([01]) \([^()]*≠[^()]*\)|([01]) \([a-z]\w*\)", r"\1\2", text, flags=re.IGNORECASE
    )
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text)
    return eval(text, {"np": np, "max": max})


def test_distances_are_what_their_formulas_say(case):
    problem, query, scene, model = case
    distances, indices = (a[0] for a in model.kneighbors(problem.table(query.x[None])))
    joins = [frame for frame in scene.frames if frame.phase == "join"]
    assert len(joins) == 7
    for frame, distance, index in zip(joins, distances, indices, strict=True):
        name, terms, number = re.fullmatch(
            r"d\(x, (\d+)\) = (.*) = ([^=]+)", formulas(frame)[0]
        ).groups()
        assert int(name) == problem.training.rows[index] + 1
        assert_allclose(float(number.replace("−", "-")), distance, rtol=1e-5, atol=1e-12)
        if model.metric not in ("mahalanobis", "cosine") and "…" not in terms:
            assert_allclose(value_of(terms), distance, rtol=2e-3, atol=1e-3)


def test_votes_and_shares_are_those_of_the_classifier(case):
    problem, query, scene, model = case
    shares = model.predict_proba(problem.table(query.x[None]))[0]
    last = scene.frames[-1]
    assert [row[2] for row in tables(last)["Votes"].rows] == pytest.approx(shares.tolist())
    (bars,) = marks(scene, Rects, "votes")
    assert_allclose(at(bars.y1, -1) / at(bars.y1, -1).sum(), shares)
    assert problem.classes[shares.argmax()] in last.caption
    assert len(tables(last)["Neighbours by distance"].rows) == 7


def test_lines_lead_to_the_neighbours_as_they_join(case):
    problem, query, scene, model = case
    training = problem.training
    indices = model.kneighbors(problem.table(query.x[None]))[1][0]
    (lines,) = marks(scene, Segments)
    for i in range(2, len(scene.frames)):
        n = min(i - 1, 7)
        assert_allclose(
            np.column_stack([at(lines.x1, i), at(lines.y1, i)]),
            problem.points[_stored(problem)][indices[:n]],
        )
        assert_array_equal(at(lines.color, i), training.y[indices[:n]])
        assert_allclose(at(lines.x0, i), query.place[0])


def _stored(problem):
    return np.arange(len(problem.X)) if problem.test is None else np.flatnonzero(~problem.test)


def test_only_rows_that_cannot_be_near_are_left_out(case):
    problem, query, scene, model = case
    distances, indices = (
        a[0] for a in model.kneighbors(problem.table(query.x[None]), model.n_samples_fit_)
    )
    reach = np.sort(distances)[6]
    (rows,) = [mark for mark in scene.marks if getattr(mark, "data", False)]
    faint = np.flatnonzero(np.broadcast_to(at(rows.opacity, -1), len(problem.X)) == PRUNED)
    pruned = {list(_stored(problem)).index(i) for i in faint}
    away = dict(zip(indices.tolist(), distances, strict=True))
    assert all(away[i] > reach * (1 - 1e-9) for i in pruned)
    assert dict(tables(scene.frames[1])["Distances that are computed"].rows)["left out"] == len(
        pruned
    )


@pytest.mark.parametrize("metric", [metric for metric in METRICS if metric != "cosine"])
def test_outline_is_as_far_as_the_last_neighbour(metric):
    problem = PROBLEMS["iris"]
    scene, model = scene_and_model(
        problem, problem.query((4.5, 1.4)), metric=metric, p=3, n_neighbors=9
    )
    ball, ring = marks(scene, Line)
    reach = model.kneighbors([[4.5, 1.4]])[0][0]
    for i, frame in enumerate(scene.frames):
        outline = np.column_stack([at(ball.x, i), at(ball.y, i)])
        assert len(outline) == (0 if frame.phase in ("bound", "measure") else 65)
        if frame.phase == "join" and reach[i - 2] > 0:
            far = model.metric_.between(
                model.metric_.coordinates(np.array([[4.5, 1.4]])),
                model.metric_.coordinates(outline),
            )
            assert_allclose(far, reach[i - 2], rtol=1e-6)
    assert len(at(ring.x, 1)) == 2 * 65 + 1
    assert len(at(ring.x, 2)) == 0


@pytest.mark.parametrize("name", ["four columns", "components", "names", "mixed"])
def test_no_outline_where_the_plane_is_not_all(name):
    scene, _ = scene_and_model(PROBLEMS[name])
    assert not marks(scene, Line)
    assert not PROBLEMS[name].plane.exact
    assert any("may not look nearest" in note for note in scene.notes)


def test_no_outline_where_units_differ_too_much_or_angles_count():
    frame = pd.DataFrame(
        {"a": np.arange(9.0), "b": np.arange(9.0)[::-1] * 1e5, "c": list("xxxyyyxyx")}
    )
    assert not marks(
        scene_and_model(prepare(frame, ["a", "b"], target="c", labelled=True))[0], Line
    )
    assert not marks(scene_and_model(PROBLEMS["iris"], metric="cosine")[0], Line)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_votes_add_up_step_by_step(weights):
    problem = PROBLEMS["iris"]
    scene, _ = scene_and_model(problem, problem.query((4.9, 1.6)), weights=weights, n_neighbors=9)
    total = 0.0
    for i, frame in enumerate(scene.frames[2:-1]):
        neighbors, votes = tables(frame), tables(frame)["Votes"].rows
        last = next(t for title, t in neighbors.items() if title.startswith("Neighbours")).rows[-1]
        total += last[4]
        assert sum(row[1] for row in votes) == pytest.approx(total)
        assert last[0] == i + 1
        if weights == "distance":
            assert result(formulas(frame)[1]) == pytest.approx(last[4], rel=1e-5)


def test_errors_are_counted_at_the_k_in_use():
    problem = PROBLEMS["iris"]
    scene, model = scene_and_model(problem, n_neighbors=15)
    rows = tables(scene.frames[-1])["Errors at k = 15"].rows
    training, testing = problem.training, problem.testing
    wrong = [
        (model.predict(training.X) != training.y).sum(),
        (model.predict(None) != training.y).sum(),
        (model.predict(testing.X) != testing.y).sum(),
    ]
    assert [(row[0], row[1], row[2]) for row in rows] == list(
        zip(("training", "leave-one-out", "test"), (105, 105, 45), wrong, strict=True)
    )
    assert all(row[3] == pytest.approx(row[2] / row[1]) for row in rows)


def test_without_a_test_there_are_two_curves():
    scene, _ = scene_and_model(PROBLEMS["names"], n_neighbors=3)
    assert len(marks(scene, Line, "error")) == 2
    assert [row[0] for row in tables(scene.frames[-1])["Errors at k = 3"].rows] == [
        "training",
        "leave-one-out",
    ]


def test_k_is_a_line_that_is_dragged():
    scene, _ = scene_and_model(PROBLEMS["iris"], n_neighbors=12)
    handles = {handle.name: handle for handle in scene.handles}
    assert (handles["k"].panel, handles["k"].kind, handles["k"].x) == ("error", "x", 12.0)
    assert handles["query"].kind == "point"


def test_a_tie_goes_to_the_first_class_and_is_told():
    frame = pd.DataFrame({"a": [0.0, 1.0, 3.0, 4.0], "b": [0.0] * 4, "c": list("yyxx")})
    scene, _ = scene_and_model(prepare(frame, ["a", "b"], target="c", labelled=True), n_neighbors=4)
    assert (
        scene.frames[-1].caption
        == "x and y have 2 votes each; the tie goes to the first of them, x."
    )


def test_many_neighbours_join_in_groups():
    table = make("blobs", n_samples=2000, centers=4, random_state=0)
    problem = prepare(table.frame, ["x", "y"], target=table.target, labelled=True, test_size=0.3)
    scene, _ = scene_and_model(problem, n_neighbors=300)
    assert len(scene.frames) <= 43
    assert re.match(r"Neighbours \d+ to \d+ join, the last at distance", scene.frames[10].caption)
    assert scene.frames[-1].phase == "vote"
    assert len(tables(scene.frames[-1])["Neighbours 1 to 30 of 300"].rows) == 30
    assert len(encode(scene)) < 300_000


def test_neighbours_are_marked_and_the_pivot_goes_when_it_is_done():
    scene, _ = scene_and_model(PROBLEMS["iris"], n_neighbors=5)
    (pivot,) = marks(scene, Points, emphasis=True)
    assert [len(at(pivot.x, i)) for i in range(len(scene.frames))] == [1, 1, 0, 0, 0, 0, 0, 0]
    joined = next(mark for mark in marks(scene, Points) if not mark.data and not mark.emphasis)
    assert [len(at(joined.x, i)) for i in range(len(scene.frames))] == [0, 0, 1, 2, 3, 4, 5, 5]


def test_too_many_neighbours_are_refused_in_a_sentence():
    assert too_many_neighbors(5, 2, {"n_neighbors": 5}) == ""
    assert "choose k = 4 or less" in too_many_neighbors(4, 2, {"n_neighbors": 5})


def test_without_pruning_everything_is_measured():
    problem = PROBLEMS["iris"]
    query = problem.query((4.5, 1.4))
    scene, model = scene_and_model(problem, query, pruning=False, n_neighbors=5)
    with_bounds, _ = scene_and_model(problem, query, n_neighbors=5)
    assert [frame.phase for frame in scene.frames] == ["measure", *["join"] * 5, "vote"]
    assert scene.frames[-1] == with_bounds.frames[-1]
    (table,) = [
        table for title, table in tables(scene.frames[0]).items() if title.startswith("The nearest")
    ]
    nearest = model.kneighbors([[4.5, 1.4]], len(table.rows))
    assert_allclose([row[2] for row in table.rows], nearest[0][0])
    (rows,) = [mark for mark in scene.marks if getattr(mark, "data", False)]
    assert (np.asarray(at(rows.opacity, 0)) == 1).all()
    assert len(marks(scene, Line, "data")) == 1
