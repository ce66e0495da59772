import dashboard
from dmlib.classification import BaggingClassifier, RandomForestClassifier
from dmlib.classification.ensembles.figures.importance import importance
from dmlib.classification.ensembles.figures.proximity import proximity
from dmlib.classification.ensembles.figures.single_trees import single_trees
from dmlib.classification.ensembles.losses_ledger import LOSSES
from dmlib.classification.ensembles.questions import Rule, questions
from dmlib.classification.ensembles.reference import ensembles_reference
from dmlib.classification.ensembles.scene import OPTIONS, ensembles_scene

TECHNIQUE = dashboard.Technique(
    slug="ensembles",
    methods={"Bagging": BaggingClassifier, "Random forest": RandomForestClassifier},
    labels={
        "Algorithm": {
            "estimator": "Base learner",
            "n_estimators": "Estimators (n_estimators)",
            "max_samples": "Rows per bag",
            "max_features": "Columns drawn",
            "bootstrap": "Draw with replacement",
        },
        "Trees": {
            "max_depth": "Maximum depth",
            "min_samples_leaf": "Min. samples per leaf",
            "criterion": "Split criterion",
        },
    },
    data=dashboard.Table("classes", {"source": "generator", "generator": "moons"}),
    scene=ensembles_scene,
    check=dashboard.Check(ensembles_reference, ("predict_proba",)),
    results={},
    figures=(
        dashboard.Plot(
            "Importance",
            importance,
            "Impurity-based and permutation importance, which may disagree.",
        ),
        dashboard.Plot(
            "Single trees", single_trees, "The error of each single tree, and of the ensemble."
        ),
        dashboard.Plot(
            "Proximity", proximity, "The fraction of trees in which two rows share a leaf."
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Ask(always=True),
        dashboard.Setting("loss", "Error measured by", *OPTIONS["loss"], names=LOSSES),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
