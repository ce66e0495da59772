"""The lesson on naive Bayes says what the algorithm computes."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import NaiveBayes
from dmlib.datasets import load

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "naive_bayes" / "lesson.md").read_text(
    encoding="utf-8"
)
DAY = ["sunny", "cool", "high", "TRUE"]


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def learned(name, copies=(), **params):
    frame = load(name).frame
    X = frame.drop(columns="play")
    X = X.assign(**{f"copy of {column}": X[column] for column in copies})
    return NaiveBayes(**params).fit(X, frame["play"].astype(str))


def classified(model, day):
    """The products and the posterior, by class."""
    *_, last = model.explain_steps(day)
    names = list(model.classes_)
    return dict(zip(names, np.exp(last.log_joint), strict=True)), dict(
        zip(names, last.posterior, strict=True)
    )


def test_the_day_of_the_lesson():
    text = section("By hand")
    products, posterior = classified(learned("weather_nominal"), DAY)
    assert f"| product | **{products['yes']:.5f}** | **{products['no']:.5f}** |" in text
    assert f"The sum is {sum(products.values()):.5f}" in text
    assert f"= **{posterior['yes']:.3f}** and P(no) = **{posterior['no']:.3f}**" in text
    rows = [
        line.split("|")[2:4] for line in text.splitlines() if line.startswith("|") and "/" in line
    ]
    factors = np.array([[float(Fraction(cell.strip())) for cell in row] for row in rows])
    assert factors.prod(axis=0) == pytest.approx([products["yes"], products["no"]])


def test_the_day_with_numbers():
    text = section("By hand")
    model = learned("weather_numeric")
    steps = [
        step for step in model.explain_steps(["sunny", 66, 90, "TRUE"]) if step.phase == "multiply"
    ]
    no, yes = steps[1].factor
    assert f"= **{yes:.4f}**, and $f(66 \\mid \\mathrm{{no}})$ = **{no:.4f}**" in text
    no, yes = steps[2].factor
    assert f"they are **{yes:.4f}** and **{no:.4f}**" in text
    assert model.theta_[1, 1] == pytest.approx(73)
    assert f"sd {np.sqrt(model.var_[1, 1]):.2f}" in text
    products, posterior = classified(model, ["sunny", 66, 90, "TRUE"])
    assert (
        f"{products['yes']:.7f} and {products['no']:.7f}, and P(no) = **{posterior['no']:.3f}**"
        in text.replace("\n", " ")
    )


def test_no_zeros():
    text = section("No zeros: Laplace and the m-estimate")
    overcast = ["overcast", "cool", "high", "TRUE"]
    assert classified(learned("weather_nominal"), overcast)[0]["no"] == 0
    model = learned("weather_nominal", laplace=1)
    products, posterior = classified(model, overcast)
    assert (
        f"the products {products['yes']:.4f} and {products['no']:.5f}, "
        f"and P(yes) = **{posterior['yes']:.3f}**" in text
    )
    smooth = learned("weather_nominal", m_estimate=3)
    true = smooth.tables_[3].values.index("TRUE")
    assert smooth.tables_[3].probabilities[0, true] == 0.5625
    assert model.tables_[3].probabilities[0, true] == pytest.approx(4 / 7)


def test_a_column_that_is_there_twice():
    _, posterior = classified(learned("weather_nominal", copies=["outlook"]), [*DAY, "sunny"])
    assert f"from 0.795 to **{posterior['no']:.3f}**" in section("When it fails")


def test_the_answers():
    assert learned("weather_nominal").class_prior_[1] == pytest.approx(9 / 14)
    two = NaiveBayes().fit([[4.0], [6.0]], [0, 0])
    assert (two.theta_[0, 0], two.var_[0, 0]) == (5, 2)
    assert NaiveBayes(ddof=0).fit([[4.0], [6.0]], [0, 0]).var_[0, 0] == 1
    frame = pd.DataFrame({"a": pd.Categorical(["v"] * 6, categories=["u", "v", "w"])})
    assert NaiveBayes(laplace=1).fit(frame, [0] * 6).tables_[0].probabilities[
        0, 0
    ] == pytest.approx(1 / 9)
