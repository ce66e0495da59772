"""The picture of PEBLS: its arithmetic, bars and sizes are those of the model."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.classification import PEBLS
from dmlib.classification.knn.pebls_scene import pebls_scene
from dmlib.classification.knn.reference import knn_reference
from dmlib.datasets import load
from dmlib.pictures.marks import Points, Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks
from tests.runs import run_of


def table(name, **how):
    data = load(name)
    frame = data.frame.dropna()
    features = [column for column in frame.columns if column != data.target]
    return prepare(frame, features, target=data.target, labelled=True, **how)


PROBLEMS = {
    "names": table("weather_nominal"),
    "names, some held out": table("weather_nominal", test_size=0.3, random_state=4),
    "mixed": table("weather_numeric", test_size=0.3),
    "numbers": table("iris", test_size=0.3),
    "many values": table("heart_disease"),
}


@pytest.fixture(params=PROBLEMS)
def problem(request):
    return PROBLEMS[request.param]


def scene_model_query(problem, sample=3, **params):
    run = Run.of(problem, PEBLS(**params), query=problem.query(sample=sample), size=10)
    return pebls_scene(run), run.fitted, run.query


def result(text):
    return float(text.rsplit("= ", 1)[1].replace("−", "-"))


def test_a_formula_for_the_values_that_are_farthest_apart(problem):
    scene, model, _ = scene_model_query(problem)
    for j in problem.categories:
        lines = formulas(scene.frames[j])[1:]
        for line in lines:
            parts = re.findall(r"\|([^|]+) − ([^|]+)\|", line)
            if "…" not in line:
                total = sum(
                    abs(np.divide(*map(float, a.split("/"))) - np.divide(*map(float, b.split("/"))))
                    for a, b in parts
                )
                assert total == pytest.approx(result(line), abs=1e-4)
            assert result(line) == pytest.approx(model.value_distances_[j].max(), abs=1e-5)


def test_the_weight_is_that_of_the_row(problem):
    scene, model, _ = scene_model_query(problem)
    (frame,) = [frame for frame in scene.frames if frame.phase == "weigh"]
    row, uses, correct, weight = re.fullmatch(
        r"w\((\d+)\) = \((\d+) \+ 1\) / \((\d+) \+ 1\) = (.+)", formulas(frame)[1]
    ).groups()
    at = (problem.training.rows + 1).tolist().index(int(row))
    assert model.exemplar_weights_[at] == pytest.approx(float(weight), abs=1e-5)
    assert (int(uses) + 1) / (int(correct) + 1) == pytest.approx(float(weight), abs=1e-5)


@pytest.mark.parametrize("weighted", [True, False])
def test_bars_are_distances_and_the_first_is_the_answer(problem, weighted):
    scene, model, query = scene_model_query(problem, weighted=weighted)
    (bars,) = marks(scene, Rects, "exemplars")
    (nearest,) = model.exemplars(problem.table(query.x[None]))
    terms = model.terms(problem.table(query.x[None]))
    assert at(bars.x1, -1)[0] == pytest.approx(
        terms[nearest].sum() * model.exemplar_weights_[nearest]
    )
    assert (np.diff(at(bars.x1, -1)) >= -1e-12).all()
    assert problem.classes[problem.training.y[nearest]] in scene.frames[-1].caption
    assert [frame.phase for frame in scene.frames].count("multiply") == weighted


def test_rows_that_were_wrong_are_larger(problem):
    scene, model, _ = scene_model_query(problem)
    (samples,) = [mark for mark in marks(scene, Points) if mark.data]
    frame = [frame.phase for frame in scene.frames].index("weigh")
    stored = np.arange(len(problem.X)) if problem.test is None else np.flatnonzero(~problem.test)
    sizes = at(samples.size, frame)[stored]
    assert sizes.max() == sizes[model.exemplar_weights_.argmax()]


@pytest.mark.parametrize("weighted", [True, False])
def test_the_library_finds_the_same_exemplars(problem, weighted):
    training = problem.training
    model = PEBLS(weighted=weighted).fit(training.data, training.y)
    run = run_of(PEBLS(weighted=weighted), training)
    reference = knn_reference(run).answer(run)
    assert_allclose(reference.predict_proba(problem.data), model.predict_proba(problem.data))
    np.testing.assert_array_equal(
        reference.kneighbors(problem.data)[1][:, 0], model.exemplars(problem.data)
    )
