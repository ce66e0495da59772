"""New columns by a formula: pandas' results, the order of operations, sentences for the rest."""

import ast

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import Table, load
from dmlib.pictures.run import Run
from dmlib.preprocessing import FormulaTransformer
from dmlib.preprocessing.transformation.prepared import prepared_rows
from dmlib.preprocessing.transformation.reference import prepared_code, transformation_reference
from dmlib.preprocessing.transformation.scene import transformation_scene
from dmlib.problem import prepare
from dmlib.problem.formula import FUNCTIONS
from tests.visit import sentences_of, stage, visit

SLUG = "transformation"
FRAME = pd.DataFrame(
    {
        "weight": [81.0, 50.0, 98.0],
        "height": [1.8, 1.6, 1.75],
        "mean radius": [1.0, 2.0, 4.0],
        "class": [0.5, 0.25, 0.125],
    }
)
COLUMNS = list(FRAME)


def numbers():
    return st.floats(0.5, 4).map("{:.3f}".format)


def formulas():
    """Formulas of two columns between 1 and 2, all of whose results are finite."""
    leaves = st.sampled_from(["a", "`b c`"]) | numbers()

    def extend(inner):
        operation = st.tuples(inner, st.sampled_from("+-*"), inner).map(
            "({0[0]} {0[1]} {0[2]})".format
        )
        quotient = inner.map("1 / (1 + abs({}))".format)
        function = st.tuples(st.sampled_from(["sin", "cos", "tanh", "abs"]), inner).map(
            "{0[0]}({0[1]})".format
        )
        return operation | quotient | function | inner.map("-{}".format) | leaves.map("{}^2".format)

    return st.recursive(leaves, extend, max_leaves=6).filter(lambda text: len(text) <= 200)


def test_a_body_mass_index():
    model = FormulaTransformer("bmi = weight / height^2").fit(FRAME)
    # 81 / 3.24, 50 / 2.56, 98 / 3.0625
    np.testing.assert_allclose(model.values_, [25.0, 19.53125, 32.0])
    assert list(model.get_feature_names_out()) == [*COLUMNS, "bmi"]
    np.testing.assert_allclose(model.transform(FRAME), model.prepared_)
    # (25 + 19.53125 + 32) / 3
    assert model.mean_ == pytest.approx(25.510416667)


def test_operations_come_innermost_first():
    steps = list(FormulaTransformer("log(weight / 3) - 2 * height^2").steps(FRAME))
    parts = [step.part for step in steps if step.phase == "compute"]
    assert parts == [
        *("weight / 3", "log(weight / 3)", "height ** 2", "2 * height ** 2"),
        "log(weight / 3) - 2 * height ** 2",
    ]
    assert [step.phase for step in steps] == ["read", *["compute"] * 5, "append"]
    np.testing.assert_array_equal(steps[-1].values, steps[-2].values)


@pytest.mark.parametrize(
    ("formula", "name"),
    [
        ("`mean radius` / `class`", "`mean radius` / `class`"),
        ("`new column` = `class` + 1", "new column"),
        ("r=height", "r"),
        ("half=1/2", "half"),
        (None, "weight * height"),
    ],
)
def test_names_of_columns(formula, name):
    assert FormulaTransformer(formula).fit(FRAME).name_ == name


def test_a_name_may_have_any_characters():
    names = ["a=b", "ﬁ", "x`y", "e", "sin"]
    X = np.arange(1.0, 6.0)[None, :]
    values = {"`a=b` + 1": 2.0, "ﬁ": 2.0, "`x``y`": 3.0, "e": 4.0, "sin(sin)": np.sin(5.0)}
    for formula, value in values.items():
        model = FormulaTransformer(f"new = {formula}", columns=names).fit(X)
        assert model.values_[0] == pytest.approx(value)


@given(formulas(), st.integers(0, 1000))
def test_formulas_have_the_values_of_pandas(formula, seed):
    X = np.random.default_rng(seed).uniform(1, 2, (7, 2))
    frame = pd.DataFrame(X, columns=["a", "b c"])
    run = Run.of(
        prepare(frame, ["a", "b c"]), FormulaTransformer(f"new = {formula}", columns=list(frame))
    )
    expected = transformation_reference(run).answer(run).prepared_
    np.testing.assert_allclose(run.fitted.prepared_, expected, rtol=1e-9, atol=1e-12)


@given(
    st.text(max_size=60)
    | st.text("abxe0129.+-*/^()=` ", max_size=60)
    | st.lists(
        st.sampled_from(["a", "`b c`", "log", "sqrt", "(", ")", "/", "-", "0", "^", "=", "1e99"])
    ).map(" ".join)
)
def test_any_text_is_a_formula_or_a_sentence(text):
    model = FormulaTransformer(text, columns=["a", "b c"])
    sentence = refusal(model, [[0.0, -3.0], [2.0, 1e90], [0.5, 0.25]])
    if sentence:
        assert sentence.endswith(".")
        assert len(sentence) < 700
    else:
        assert np.isfinite(model.prepared_).all()
        assert np.isfinite([model.mean_, model.std_, model.skewness_]).all()


def refusal(model, X):
    """Fit a model; return why it refuses the rows, or nothing."""
    try:
        model.fit(X)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("weight / hight", r"may not use 'hight'\. Write it with weight, height, `mean radius`"),
        (
            "weight / (height - height)",
            r"weight cannot be divided by 0, and height - height is 0 in 3 of 3",
        ),
        ("weight / 0", r"weight cannot be divided by 0 in 3 of 3 rows\."),
        (
            "log(height - 1.7)",
            r"log\(height - 1.7\) has no value.* in 1 of 3 rows, as where .* is −0.1",
        ),
        ("exp(weight^3)", r"exp\(weight \*\* 3\) has no value, or one too large"),
        ("weight", r"There is a column weight already\..*as new = weight\."),
        ("weight = height", r"There is a column weight already"),
        ("", r"cannot be read\. Write it with"),
        ("x = " + "weight + " * 30, "the limit is 200"),
        ("weight.real", r"may not use 'weight\.real'"),
        ("weight[0]", "may not use"),
        ("__import__('os')", "may not use"),
        ("(lambda: 1)()", "may not use"),
        ("weight if height else 1", "may not use"),
        ("9^9^9^9", "too large"),
    ],
)
def test_what_is_no_formula_is_refused_by_a_sentence_with_the_columns(formula, sentence):
    with pytest.raises(ValueError, match=sentence):
        FormulaTransformer(formula).fit(FRAME)


def test_the_names_fit_the_columns():
    with pytest.raises(ValueError, match="There are 4 columns, and columns has 1 names"):
        FormulaTransformer(columns=["a"]).fit(FRAME)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_is_numpys(name):
    values = FormulaTransformer(f"{name}(height)").fit(FRAME).values_
    np.testing.assert_allclose(values, getattr(np, name)(FRAME.height))


@pytest.mark.parametrize("scaling", ["none", "z-score"])
def test_the_code_is_a_line_of_pandas_that_makes_the_table(scaling):
    frame = FRAME.assign(kind=["x", None, "y"], bmi=1)
    frame.loc[1, "class"] = np.nan
    problem = prepare(frame, COLUMNS, scaling=scaling)
    run = Run.of(
        problem,
        FormulaTransformer("bmi = weight / exp(`class`)", columns=COLUMNS),
        table=Table(frame, dict.fromkeys(frame, "numeric"), "own"),
    )
    code = prepared_code(run)
    source = "frame" if scaling == "none" else "scaled"
    assert f"frame['bmi_'] = {source}['weight'] / np.exp({source}['class'])\n" in code
    names = {"table": run.table, "problem": problem}
    exec(compile(ast.parse(code), "code", "exec"), names)
    expected = prepared_rows(problem, frame, run.model)
    pd.testing.assert_frame_equal(names["frame"], expected)
    assert len(expected) == 2


def test_the_picture_of_a_formula():
    table = load("penguins")
    problem = prepare(table.frame, ["bill_length_mm", "bill_depth_mm"], target="species")
    model = FormulaTransformer("r = bill_length_mm / bill_depth_mm", columns=problem.features)
    scene = transformation_scene(Run.of(problem, model))
    assert [frame.phase for frame in scene.frames] == ["read", "compute", "append"]
    assert scene.frames[0].caption == "r is computed from bill_length_mm, bill_depth_mm."
    assert "from 1.64 to 3.613" in scene.frames[-1].caption
    means = {row[0]: row[1] for row in scene.frames[-1].ledger[1].rows}
    assert means == {"Adelie": 2.12, "Chinstrap": 2.654, "Gentoo": 3.176}


def test_a_page_takes_a_formula_and_says_what_is_wrong():
    link = {f"{SLUG}.method": "New column", "source": "library", "data": "mtcars"}
    caption = stage(visit(SLUG, **link))["frames"][-1]["caption"]
    assert caption.startswith("Done: the table has a column mpg * cyl, from ")
    shown = stage(visit(SLUG, **link, **{f"{SLUG}.formula": "power = hp / wt"}))
    assert "a column power, from 19.44 to 93.84" in shown["frames"][-1]["caption"]
    (field,) = (control for control in shown["controls"] if control["kind"] == "text")
    assert (field["value"], field["max"]) == ("power = hp / wt", 200)
    wrong = stage(visit(SLUG, **link, **{f"{SLUG}.formula": "hp / vs"}))
    assert "hp cannot be divided by 0, and vs is 0 in 18 of 32" in wrong["frames"][-1]["caption"]
    assert not sentences_of(visit(SLUG, **link))


def test_classes_that_would_share_colours_have_none():
    frame = pd.DataFrame({"x": np.arange(1.0, 25.0), "c": [f"c{i % 12:02}" for i in range(24)]})
    many = prepare(frame, ["x"], target="c", labelled=True)
    few = prepare(frame.assign(c=["a", "b"] * 12), ["x"], target="c", labelled=True)
    n_keys = [
        len(
            transformation_scene(Run.of(problem, FormulaTransformer("x ^ 2", columns=["x"]))).legend
        )
        for problem in (many, few)
    ]
    assert n_keys == [0, 2]
