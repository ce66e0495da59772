"""The picture of naive Bayes: its arithmetic to the digit, and what is drawn of each column."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from dmlib.classification import NaiveBayes
from dmlib.classification.naive_bayes.scene import naive_bayes_scene
from dmlib.classification.naive_bayes.strips_scene import DIM, STRONG, strips
from dmlib.datasets import load
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Ellipses, Line, Points, Rects, Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, result, tables
from tests.runs import stopped


def table(name, features=None, **how):
    data = load(name)
    features = features or [column for column in data.frame.columns if column != data.target]
    return prepare(data.frame, features, target=data.target, labelled=True, holes="keep", **how)


def scene_of(problem, query=None, **params):
    """Return the scene, and the fitted classifier."""
    run = Run.of(problem, NaiveBayes(**params), query=query, size=10)
    return naive_bayes_scene(run), run.fitted


MIXED = ["bill_length_mm", "bill_depth_mm", "island", "sex"]
PROBLEMS = {
    "iris": table("iris", ["petal_length", "petal_width"], test_size=0.3),
    "four columns": table("iris"),
    "components": table("iris", view="pca", scaling="z-score"),
    "names": table("weather_nominal"),
    "mixed": table("weather_numeric"),
    "holes": table("penguins", MIXED),
}
SETTINGS = {
    "plain": {},
    "laplace": {"laplace": 1.0},
    "m-estimate": {"laplace": 0.5, "m_estimate": 3.0},
    "interval": {"numeric": "interval", "laplace": 1.0},
    "cut": {"numeric": "discretised", "laplace": 1.0, "n_bins": 3},
    "as scikit-learn": {"ddof": 0, "var_smoothing": 1e-3},
}


@pytest.fixture(params=[(name, how) for name in PROBLEMS for how in SETTINGS], ids=" ".join)
def case(request):
    name, how = request.param
    problem = PROBLEMS[name]
    query = problem.query(sample=3)
    return problem, query, *scene_of(problem, query, **SETTINGS[how])


def value_of(terms):
    """Compute the left side of a formula."""
    signs = {"−": "-", "²": "**2", "·": "*", "√": "sqrt", "2π": "2 * pi"}
    for sign, operator in signs.items():
        terms = terms.replace(sign, operator)
    return eval(terms, {"sqrt": np.sqrt, "exp": np.exp, "pi": np.pi})


def test_the_last_step_gives_the_probabilities_of_the_classifier(case):
    problem, query, scene, model = case
    posterior = model.predict_proba(problem.table(query.x[None]))[0]
    (bars,) = marks(scene, Rects, "shares")
    assert_allclose(at(bars.y1, -1), posterior, atol=1e-12)
    assert problem.classes[model.classes_[posterior.argmax()]] in scene.frames[-1].caption
    product = tables(scene.frames[-1])["The product"]
    assert product.rows[-1][1:] == pytest.approx(posterior.tolist(), rel=1e-3, abs=1e-12)


def test_each_factor_is_what_its_formula_says(case):
    problem, query, scene, model = case
    steps = [
        step
        for step in model.explain_steps(problem.table(query.x[None]))
        if step.phase == "multiply"
    ]
    frames = [frame for frame in scene.frames if frame.phase == "multiply"]
    for step, frame in zip(steps, frames, strict=True):
        assert problem.features[step.attribute] in frame.caption or "never occurs" in frame.caption
        for factor, formula in zip(step.factor, formulas(frame), strict=True):
            parts = formula.split(" = ")
            assert_allclose(result(formula), factor, rtol=1e-5, atol=1e-300)
            if len(parts) > 2:
                assert_allclose(value_of(parts[-2]), factor, rtol=5e-3, atol=1e-12)


def test_the_product_is_the_product_of_its_factors(case):
    _, _, scene, _ = case
    for formula in formulas(scene.frames[-1])[:-1]:
        terms, product = formula.split(": ")[1].split(" = ")
        assert_allclose(value_of(terms), float(product.replace("−", "-")), rtol=1e-4)


def test_learning_comes_first_one_column_at_a_time(case):
    problem, _, scene, model = case
    d = len(problem.features)
    phases = [frame.phase for frame in scene.frames]
    assert phases[0] == phases[d + 1] == "prior"
    assert set(phases[1 : d + 1]) <= {"count", "estimate"}
    assert set(phases[d + 2 : -1]) <= {"multiply", "skip"}
    assert phases[-1] == "normalise"
    for j in range(d):
        ledger = next(iter(tables(scene.frames[1 + j]).values()))
        if phases[1 + j] == "estimate":
            assert [row[2] for row in ledger.rows] == pytest.approx(model.theta_[:, j].tolist())
            assert [row[3] for row in ledger.rows] == pytest.approx(
                np.sqrt(model.var_[:, j]).tolist()
            )


def test_counts_make_the_estimates(case):
    _, _, scene, model = case
    for frame, table in zip(scene.frames[1:], model.tables_, strict=False):
        if frame.phase != "count":
            continue
        ledger = next(block for title, block in tables(frame).items() if title.startswith("P"))
        for row, probabilities in zip(ledger.rows, table.probabilities, strict=True):
            shares = [value_of(cell) for cell in row[1:]]
            assert_allclose(shares, probabilities[: len(shares)], rtol=1e-3)


def test_the_weather_by_hand():
    problem = table("weather_nominal", view=("temperature", "windy"))
    scene, _ = scene_of(problem, problem.query((2, 0)))
    assert formulas(scene.frames[-1]) == [
        "yes: 0.642857 · 0.222222 · 0.333333 · 0.333333 · 0.333333 = 0.00529101",
        "no: 0.357143 · 0.6 · 0.2 · 0.8 · 0.6 = 0.0205714",
        "P(no | x) = 0.0205714 / (0.00529101 + 0.0205714) = 0.795417",
    ]
    assert formulas(scene.frames[6]) == [
        "P(sunny | yes) = 2 / 9 = 0.222222",
        "P(sunny | no) = 3 / 5 = 0.6",
    ]
    product = tables(scene.frames[-1])["The product"]
    assert [row[0] for row in product.rows[1:5]] == [
        "outlook = sunny",
        "temperature = cool",
        "humidity = high",
        "windy = TRUE",
    ]


def test_shares_of_zero_are_counted():
    classes = ["yes", "yes", "no", "no"]
    two = pd.DataFrame({"wind": ["weak", "weak", "strong", "strong"], "play": classes})
    one = two.assign(wind=["weak", "strong", "strong", "strong"])
    for frame, remark in (one, "1 of the shares is zero"), (two, "2 of the shares are zero"):
        scene, _ = scene_of(prepare(frame, ["wind"], target="play", labelled=True))
        assert any(remark in step.caption for step in scene.frames)


def test_one_zero_is_told():
    scene, _ = scene_of(PROBLEMS["names"])
    (frame,) = [frame for frame in scene.frames if "one zero" in frame.caption]
    assert frame.caption == "overcast never occurs with no: one zero makes the whole product zero."
    scene, _ = scene_of(PROBLEMS["names"], laplace=1.0)
    assert not any("one zero" in frame.caption for frame in scene.frames)


def test_products_that_are_all_zero_leave_the_prior():
    frame = pd.DataFrame({"a": list("uuvv"), "b": list("zzww"), "c": list("xxyy")})
    problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    scene, _ = scene_of(problem, problem.query((0, 0)))
    assert "every product is zero" in " ".join(frame.caption for frame in scene.frames)
    assert (
        scene.frames[-1].caption
        == "Every product is zero, so the place is predicted x, with its prior 0.5."
    )


def test_a_missing_value_is_skipped():
    problem = PROBLEMS["holes"]
    scene, _ = scene_of(problem, problem.query(sample=3))
    skipped = [frame for frame in scene.frames if frame.phase == "skip"]
    assert [frame.caption for frame in skipped] == [
        f"{name} is missing here, so its factor is skipped."
        for name in ("bill_length_mm", "bill_depth_mm", "sex")
    ]
    assert "11 of 344 rows have missing values; only those values are skipped." in scene.notes
    assert [row[1] for row in tables(scene.frames[-1])["Asked about: row 4"].rows] == [
        "missing",
        "missing",
        "Torgersen",
        "missing",
    ]


def test_curves_are_as_high_as_the_densities():
    problem = PROBLEMS["four columns"]
    scene, model = scene_of(problem, problem.query(sample=60))
    for strip in strips(problem, model.tables_):
        value, name = problem.X[60, strip.column], problem.features[strip.column]
        heights = strip.heights(
            np.exp(model.tables_[strip.column].log_factors(np.array([value]))[0])
        )
        (frame,) = [
            i
            for i, f in enumerate(scene.frames)
            if f.caption.startswith(f"Times the density of {name} ")
        ]
        (points,) = marks(scene, Points, "attributes")
        assert_allclose(at(points.y, frame)[-3:], heights)
        assert_allclose(at(points.x, frame)[-3:], strip.across(value))
    lines = marks(scene, Line, "attributes")
    assert len(lines) == 4 * 3
    assert [len(at(line.x, 0)) for line in lines] == [0] * 12
    assert max(at(line.y, -1).max() for line in lines) <= 4


def test_a_class_without_spread_is_a_spike_at_its_place():
    problem = table("zoo", ["legs"])
    scene, model = scene_of(problem)
    birds, fish = (problem.classes.index(name) for name in ("bird", "fish"))
    (strip,) = strips(problem, model.tables_)
    for code, legs in ((birds, 2), (fish, 0)):
        (line,) = marks(scene, Line, "attributes", color=code)
        x, y = at(line.x, -1), at(line.y, -1)
        assert_allclose(x[y.argmax()], strip.across(legs), atol=1e-9)
        assert y.max() > 0.7


def test_bars_are_shares_and_those_not_asked_about_are_dim():
    problem = PROBLEMS["names"]
    scene, model = scene_of(problem, laplace=1.0)
    bars = next(mark for mark in marks(scene, Rects, "attributes") if len(at(mark.x0, 0)) > 1)
    heights = at(bars.y1, 0) - at(bars.y0, 0)
    first = model.tables_[0].probabilities
    assert_allclose(heights[: first.size].reshape(-1, 2).T / first, heights[0] / first[0, 0])
    opacity = at(bars.opacity, -1).reshape(-1, 2)
    values = model.tables_[strips(problem, model.tables_)[0].column].values
    expected = [STRONG if value == "overcast" else DIM for value in values]
    assert_array_equal(opacity[: len(values), 0], expected)
    assert not at(bars.opacity, 0).any()


def test_long_names_are_cut_and_intervals_named_by_their_cuts():
    problem = table("contact_lenses")
    scene, _ = scene_of(problem)
    labels = [text for mark in marks(scene, Texts, "attributes") for text in mark.text]
    assert "pre-presbyop…" in labels or "pre-presbyopic" in labels
    assert max(map(len, labels)) <= 22
    problem = PROBLEMS["iris"]
    scene, model = scene_of(problem, numeric="discretised", n_bins=3)
    labels = [text for mark in marks(scene, Texts, "attributes") for text in mark.text]
    assert labels == [
        *problem.features,
        *(f"{cut:.3g}" for table in model.tables_ for cut in table.cuts),
    ]


def test_ellipses_are_two_standard_deviations_wide():
    scene, model = scene_of(PROBLEMS["iris"])
    (ellipses,) = marks(scene, Ellipses)
    assert_allclose(at(ellipses.rx, -1), 2 * np.sqrt(model.var_[:, 0]))
    assert_allclose(np.column_stack([at(ellipses.x, -1), at(ellipses.y, -1)]), model.theta_)
    assert len(at(ellipses.x, 1)) == 0
    for name in ("components", "names", "mixed"):
        assert not marks(scene_of(PROBLEMS[name])[0], Ellipses)


def test_errors_are_in_the_last_step():
    problem = PROBLEMS["iris"]
    scene, model = scene_of(problem)
    rows = tables(scene.frames[-1])["Errors"].rows
    assert rows[1][2] == (model.predict(problem.testing.X) != problem.testing.y).sum()


def test_wide_tables_have_a_few_strips_and_a_note():
    problem = table("digits")
    scene, model = scene_of(problem)
    assert len(strips(problem, model.tables_)) == 6
    assert "The picture has room for 6 of the 64 columns; all of them count." in scene.notes
    assert len(scene.frames) == 1 + 64 + 1 + 64 + 1
    assert len(tables(scene.frames[-1])["The product"].rows) <= 16 + 3
    assert len(encode(scene)) < 400_000


def test_a_run_that_was_stopped_shows_the_data():
    scene = naive_bayes_scene(stopped(Run.of(PROBLEMS["iris"], NaiveBayes()), 1))
    assert [frame.caption for frame in scene.frames] == ["You stopped."]
