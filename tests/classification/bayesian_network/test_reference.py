"""The checks on the page really are other libraries' answers."""

import pytest

from dmlib.classification import BayesianNetworkClassifier, ExactInference
from dmlib.classification.bayesian_network.reference import bayesian_network_reference
from dmlib.comparison import Incomparable
from dmlib.datasets import load, names
from dmlib.pictures.run import Run
from dmlib.problem import prepare, prepare_network


def problem_of(name, features=None):
    table = load(name)
    features = features or [c for c in (*table.numeric, *table.nominal) if c != table.target]
    frame = table.frame.dropna(subset=features)
    return prepare(frame, features, target=table.target, labelled=True, test_size=0.3)


@pytest.mark.parametrize("name", ["iris", "weather_nominal", "titanic", "wine"])
@pytest.mark.parametrize("structure", ["tan", "naive"])
@pytest.mark.parametrize("m_estimate", [0.0, 3.0])
def test_agrees_with_scikit_learn_and_networkx(name, structure, m_estimate):
    model = BayesianNetworkClassifier(structure, m_estimate=m_estimate)
    run = Run.of(problem_of(name), model)
    reference = bayesian_network_reference(run).answer(run)
    data = run.problem.data
    assert reference.predict_proba(data) == pytest.approx(run.fitted.predict_proba(data))
    assert reference.total_information_ == pytest.approx(run.fitted.total_information_)


@pytest.mark.parametrize("name", names("network"))
def test_agrees_with_the_joint_distribution(name):
    run = Run.of(prepare_network(load(name).nodes, load(name).target), ExactInference())
    reference = bayesian_network_reference(run).answer(run)
    assert reference.probabilities_ == pytest.approx(run.fitted.probabilities_)
    assert reference.evidence_probability_ == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("weather_nominal", {"laplace": 0.0}, "Without smoothing"),
        ("weather_nominal", {"m_estimate": 1.0, "m_prior": "shares"}, "adds the same"),
    ],
)
def test_what_cannot_be_compared(name, params, message):
    run = Run.of(problem_of(name), BayesianNetworkClassifier(**params))
    with pytest.raises(Incomparable, match=message):
        bayesian_network_reference(run)
