"""The check on the page really is scikit-learn's answer to the same question."""

import pytest
from numpy.testing import assert_allclose

import dashboard
from dmlib.classification import NaiveBayes
from dmlib.classification.naive_bayes.reference import naive_bayes_reference
from dmlib.comparison import Incomparable
from dmlib.datasets import load
from dmlib.problem import prepare
from tests.runs import run_of


def table(name, features=None, **how):
    data = load(name)
    features = features or [column for column in data.frame.columns if column != data.target]
    return prepare(data.frame, features, target=data.target, labelled=True, **how).training


PROBLEMS = {
    "iris": table("iris", test_size=0.3),
    "wine": table("wine", scaling="min-max", test_size=0.3),
    "names": table("weather_nominal"),
    "mixed": table("weather_numeric"),
    "penguins": table("penguins", ["bill_length_mm", "island", "sex"]),
}


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize(
    "smoothing", [(1.0, 0.0), (0.5, 3.0), (0.0, 2.0)], ids=["laplace", "both", "m"]
)
def test_agrees_with_scikit_learn(name, ddof, smoothing):
    problem = PROBLEMS[name]
    model = NaiveBayes(smoothing[0], m_estimate=smoothing[1], ddof=ddof, var_smoothing=1e-9)
    run = run_of(model, problem)
    reference = naive_bayes_reference(run).answer(run)
    assert type(reference).__module__.startswith("sklearn.")
    model.fit(*problem.arguments)
    assert_allclose(
        reference.predict_proba(problem.data),
        model.predict_proba(problem.data),
        rtol=1e-7,
        atol=1e-9,
    )


def test_no_reference_where_values_are_missing_or_numbers_are_cut():
    holes = table("penguins", ["bill_length_mm", "sex"], holes="keep")
    with pytest.raises(Incomparable):
        naive_bayes_reference(run_of(NaiveBayes(laplace=1), holes))
    iris = PROBLEMS["iris"]
    for numeric in ("interval", "discretised"):
        with pytest.raises(Incomparable):
            naive_bayes_reference(run_of(NaiveBayes(numeric=numeric), iris))


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("ddof", [0, 1])
def test_exported_code_runs_and_agrees(name, ddof):
    problem = PROBLEMS[name]
    model = NaiveBayes(laplace=1.0, ddof=ddof).fit(problem.data, problem.y)
    names = {"model": model, "X": problem.data, "y": problem.y}
    exec(naive_bayes_reference(run_of(model, problem)).code, names)
    assert_allclose(
        names["reference"].predict_proba(problem.data),
        model.predict_proba(problem.data),
        rtol=1e-6,
        atol=1e-9,
    )


def test_exported_code_says_why_there_is_no_reference():
    problem = table("penguins", ["bill_length_mm", "sex"], holes="keep")
    check = dashboard.Check(naive_bayes_reference, ("predict_proba",))
    code = check.code(run_of(NaiveBayes(laplace=1.0), problem))
    assert code.startswith("# Not comparable: scikit-learn has no naive Bayes for missing values")
