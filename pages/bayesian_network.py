import dashboard
from dmlib.classification import BayesianNetworkClassifier, ExactInference
from dmlib.classification.bayesian_network.questions import RULES, questions
from dmlib.classification.bayesian_network.reference import bayesian_network_reference
from dmlib.classification.bayesian_network.scene import bayesian_network_scene

TECHNIQUE = dashboard.Technique(
    slug="bayesian_network",
    methods={"Classifier": BayesianNetworkClassifier, "Query a network": ExactInference},
    labels={
        "Algorithm": {
            "structure": "Structure",
            "root": "Root column",
            "laplace": "Laplace smoothing",
            "m_estimate": "m-estimate (m rows)",
            "m_prior": "Prior estimate p",
            "strategy": "Algorithm",
            "order": "Elimination order",
        },
        "Details": {"n_bins": "Number of bins"},
    },
    data=dashboard.Table("classes"),
    data_by_method={"Query a network": dashboard.Network()},
    opening="the-weather-with-a-tree",
    scene=bayesian_network_scene,
    check=dashboard.Check(
        bayesian_network_reference,
        ("predict_proba", "total_information_", "probabilities_", "evidence_probability_"),
    ),
    results={"Information in the tree (bits)": "total_information_"},
    results_by_method={
        "Query a network": {"Multiplications": "n_products_", "Largest product (cells)": "largest_"}
    },
    figures=(dashboard.confusion_matrix(),),
    practice=dashboard.Practice(questions, RULES),
    tools=(dashboard.Ask(always=True),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
