import dashboard
from dmlib.classification import (
    ActiveLearner,
    LabelPropagation,
    LabelSpreading,
    SelfTrainingClassifier,
)
from dmlib.classification.semi_supervised.figures.methods_by_labels import (
    N_METHOD_TASKS,
    methods_by_labels_data,
    plot_methods_by_labels,
)
from dmlib.classification.semi_supervised.figures.strategies_by_labels import (
    N_STRATEGY_TASKS,
    plot_strategies_by_labels,
    strategies_by_labels_data,
)
from dmlib.classification.semi_supervised.questions import Rule, questions
from dmlib.classification.semi_supervised.reference import semi_supervised_reference
from dmlib.classification.semi_supervised.scene import semi_supervised_scene

TECHNIQUE = dashboard.Technique(
    slug="semi_supervised",
    methods={
        "Label spreading": LabelSpreading,
        "Label propagation": LabelPropagation,
        "Self-training": SelfTrainingClassifier,
        "Active learning": ActiveLearner,
    },
    labels={
        "Labels": {"n_labeled": "Labels per class"},
        "Graph": {"kernel": "Graph", "gamma": "γ (rbf)", "alpha": "α: part of the neighbours"},
        "Classifier": {"estimator": "Base classifier", "n_neighbors": "Neighbours k"},
        "Labels from predictions": {
            "criterion": "Selection",
            "threshold": "Threshold of P",
            "k_best": "Rows per round (k_best)",
        },
        "Queries": {"strategy": "Query strategy", "n_queries": "Queries"},
        "Steps": {"max_iter": "Max. iterations", "tol": "Tolerance"},
    },
    data=dashboard.Table(
        "classes",
        {
            "source": "generator",
            "generator": "moons",
            "moons.n_samples": "100",
            "moons.noise": "0.1",
            "test": "0",
        },
        max_rows=500,
        row_limit=1000,
    ),
    scene=semi_supervised_scene,
    check=dashboard.Check(semi_supervised_reference, ("label_distributions_",)),
    results={
        "Error, unlabelled rows": dashboard.Result("error_", is_share=True),
        "Labelled rows": "n_labels_",
    },
    figures=(
        dashboard.Sweep(
            "Do unlabelled rows help?",
            methods_by_labels_data,
            plot_methods_by_labels,
            N_METHOD_TASKS,
            "The base classifier learns from the labelled rows only; the others use all rows.",
        ),
        dashboard.Sweep(
            "Which label to ask for",
            strategies_by_labels_data,
            plot_strategies_by_labels,
            N_STRATEGY_TASKS,
            "A curve below that of random order saves labels; one above it wastes them.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.AskLabels(),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
