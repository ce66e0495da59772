import ui
from dmlib.evaluation import ClassifierReport
from dmlib.reference.classifier_metrics import metrics_code, metrics_reference
from dmlib.scene import Scene
from dmlib.scenes.classifier_metrics import classifier_metrics_scene


def scene(run: ui.Run) -> Scene:
    """Draw the run; rows that are held out are classified by the model of all others."""
    return classifier_metrics_scene(
        run.problem,
        run.trace,
        model=run.params["model"],
        threshold=run.params["threshold"],
        fitted=None if run.problem.test is None else run.fitted,
        selected=run.selected,
    )


ui.show(
    ui.Technique(
        slug="classifier_metrics",
        algorithms={"Report": ClassifierReport},
        groups={
            "Decision": {
                "model": "What is measured",
                "threshold": "Threshold of two classes",
                "positive": "Positive class, by its number (0: the last)",
                "cost_fp": "Cost of a false positive",
                "cost_fn": "Cost of a false negative",
            },
            "Scores": {
                "scoring": "Rows are scored by",
                "folds": "Folds",
                "test_size": "Share held out to be scored",
            },
        },
        labelled=True,
        start={"source": "library", "data": "heart_disease", "test": "0"},
        handles={"threshold": "threshold"},
        scene=scene,
        results={"Accuracy": "accuracy_", "Kappa": "kappa_", "Cost of a row": "expected_cost_"},
        equivalent=lambda run: metrics_code(run.estimator()),
        reference=lambda run: metrics_reference(run.estimator(), run.problem.training.data, run.problem.training.y),
        compare=("accuracy_", "kappa_"),
        sources=(),
    )
)
