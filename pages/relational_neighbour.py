import dashboard
from dmlib.classification import WeightedVoteRelationalNeighbor
from dmlib.classification.relational_neighbour.figures.error_by_known import error_by_known
from dmlib.classification.relational_neighbour.figures.mixing import mixing
from dmlib.classification.relational_neighbour.questions import Rule, questions
from dmlib.classification.relational_neighbour.reference import relational_neighbour_reference
from dmlib.classification.relational_neighbour.scene import relational_neighbour_scene

TECHNIQUE = dashboard.Technique(
    slug="relational_neighbour",
    methods={"Weighted-vote relational neighbour": WeightedVoteRelationalNeighbor},
    labels={
        "Algorithm": {
            "weighted": "Weighted votes",
            "update": "Update",
            "start": "Initial probabilities",
            "decay": "Annealing decay",
        },
        "Steps": {"max_iter": "Max. sweeps (max_iter)", "tol": "Tolerance"},
    },
    data=dashboard.LabelledGraph(
        start={"source": "library", "data": "karate_club", "known": "0.1"}
    ),
    scene=relational_neighbour_scene,
    check=dashboard.Check(relational_neighbour_reference, ("label_distributions_", "class_prior_")),
    results={"Sweeps": "n_iter_"},
    figures=(
        dashboard.Plot(
            "Known labels",
            error_by_known,
            "Test error by the fraction of known labels, over random choices.",
        ),
        dashboard.Plot(
            "Homophily",
            mixing,
            "The number of edges within and between classes, compared with chance.",
        ),
        dashboard.confusion_matrix(
            "Which classes are confused among the nodes whose label is held out."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
