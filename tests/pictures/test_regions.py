import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from dmlib.classification import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    GradientBoostingClassifier,
    KNeighborsClassifier,
    PrunedTreeClassifier,
    RandomForestClassifier,
)
from dmlib.datasets import load
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    decide,
    error_table,
    held_note,
    image_samples,
    query_table,
    surface,
)
from dmlib.problem import prepare


@pytest.fixture
def iris():
    frame = load("iris").frame
    return prepare(frame, list(frame.columns[:4]), target="species", labelled=True, test_size=0.3)


def test_every_pixel_is_what_the_model_says_there(iris):
    model = GaussianNB().fit(iris.training.X, iris.training.y)
    image = surface(iris, model, 20)
    winner = np.asarray(image.pixels).reshape(20, 20)
    x0, x1, y0, y1 = image.extent
    for row, column in ((0, 0), (7, 3), (19, 19)):
        place = [x0 + (column + 0.5) / 20 * (x1 - x0), y1 - (row + 0.5) / 20 * (y1 - y0)]
        assert model.predict(iris.plane.lift([place]))[0] == winner[row, column]


@pytest.mark.parametrize("view", [["petal_width", "sepal_length"], "pca"])
@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(),
        PrunedTreeClassifier(ccp_alpha=0.01),
        AdaBoostClassifier(n_estimators=5),
        AdaBoostClassifier(KNeighborsClassifier(), n_estimators=2, resample=True, random_state=0),
        GradientBoostingClassifier(n_estimators=3),
        BaggingClassifier(n_estimators=4, max_features=2, random_state=0),
        BaggingClassifier(KNeighborsClassifier(), n_estimators=2, random_state=0),
        RandomForestClassifier(4, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_pixels_of_one_answer_are_asked_about_once_and_none_is_lost(model, view):
    frame = load("iris").frame
    problem = prepare(frame, list(frame.columns[:4]), target="species", labelled=True, view=view)
    model.fit(*problem.training.arguments)
    samples, pixel = image_samples(problem, model, 30)
    own = getattr(model, "estimator", "tree") == "tree"
    assert (len(samples) < 30 * 30) == (own and view != "pca")
    (x0, x1, y0, y1), middles = surface(problem, model, 30).extent, (np.arange(30) + 0.5) / 30
    places = [[x0 + u * (x1 - x0), y1 - v * (y1 - y0)] for v in middles for u in middles]
    answers = model.predict_proba(problem.table(problem.plane.lift(places)))
    np.testing.assert_array_equal(model.predict_proba(samples)[pixel], answers)


def test_colour_is_strong_where_the_model_is_sure(iris):
    model = GaussianNB().fit(iris.training.X, iris.training.y)
    winner, sure = decide(model, iris.X)
    np.testing.assert_array_equal(winner, model.predict(iris.X))
    best = np.sort(model.predict_proba(iris.X), axis=1)
    np.testing.assert_allclose(sure, best[:, -1] - best[:, -2])


def test_a_margin_serves_where_there_are_no_probabilities(iris):
    y = (iris.y == 2).astype(int)
    model = SVC().fit(iris.X, y)
    winner, sure = decide(model, iris.X)
    np.testing.assert_array_equal(winner, model.predict(iris.X))
    assert ((sure >= 0) & (sure <= 1)).all()


def test_a_class_that_was_not_learned_keeps_the_others_in_their_colours():
    model = GaussianNB().fit([[0.0], [1.0], [8.0], [9.0]], [0, 0, 2, 2])
    assert decide(model, np.array([[0.5], [8.5]]))[0].tolist() == [0, 2]


def test_errors_are_counted_on_both_parts(iris):
    model = GaussianNB().fit(iris.training.X, iris.training.y)
    table = error_table(iris, model)
    assert table.head == ("samples", "rows", "misclassified", "error")
    (_, n, wrong, rate), (_, m, _, _) = table.rows
    assert (n, m) == (105, 45)
    assert wrong == (model.predict(iris.training.X) != iris.training.y).sum()
    assert rate == wrong / n


def test_held_columns_are_named_with_their_values(iris):
    (note,) = held_note(iris)
    assert f"petal_length = {iris.X[:, 2].mean():.6g}" in note
    assert not held_note(prepare(load("iris").frame, ["petal_length", "petal_width"]))
    frame = load("iris").frame
    assert "components" in held_note(prepare(frame, list(frame.columns[:4]), view="pca"))[0]


def test_the_query_names_its_values_and_its_holes():
    frame = pd.DataFrame({"a": [1.5, None, 3.0], "b": ["u", "v", "u"], "c": ["p", "q", "p"]})
    problem = prepare(frame, ["a", "b"], target="c", labelled=True, holes="keep")
    table = query_table(problem, problem.query(sample=1))
    assert [list(row) for row in table.rows] == [["a", "missing"], ["b", "v"]]


def test_held_out_rows_are_hollow_and_in_the_legend(iris):
    np.testing.assert_array_equal(class_points(iris).hollow, iris.test)
    assert [key.text for key in class_legend(iris)] == [*iris.classes, "held out"]
