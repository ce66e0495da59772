import dashboard
from dmlib.classification import PEBLS, KNeighborsClassifier
from dmlib.classification.knn.figures.error_curve import error_by_k
from dmlib.classification.knn.questions import Rule, questions
from dmlib.classification.knn.reference import knn_reference
from dmlib.classification.knn.scene import OPTIONS, knn_scene, too_many

NEIGHBORS = "k nearest neighbours"

TECHNIQUE = dashboard.Technique(
    slug="knn",
    methods={NEIGHBORS: KNeighborsClassifier, "PEBLS": PEBLS},
    labels={
        "Algorithm": {
            "n_neighbors": "Neighbours k",
            "weights": "Votes",
            "metric": "Metric",
            "p": "Order p (minkowski)",
            "weighted": "Weight exemplars by reliability",
        }
    },
    data=dashboard.Table("classes", weighs_columns=True, limits=too_many),
    opening="one-neighbour-then-many",
    scene=knn_scene,
    check=dashboard.Check(knn_reference, ("predict_proba",)),
    results={},
    figures=(
        dashboard.Plot(
            "Error against k",
            error_by_k,
            "At k = 1 the training error is 0 and of no use. Choose k by the other errors.",
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Ask(always=True),
        dashboard.Setting(
            "pruning",
            "Triangle-inequality pruning",
            *OPTIONS["pruning"],
            "Distances known beforehand bound that of each row "
            "from below: rows that are too far are not measured.",
            methods=(NEIGHBORS,),
        ),
        dashboard.Drag("k", sets="n_neighbors"),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
