import ui
from dmlib.classification import KNeighborsClassifier
from dmlib.plots.confusion_matrix import confusion_data, plot_confusion_matrix
from dmlib.plots.error_curve import error_curve_data, plot_error_curve
from dmlib.reference.knn import knn_code, knn_reference
from dmlib.scenes.knn import knn_scene, too_many_neighbors


def errors(run: ui.Run):
    """Measure the error against k."""
    return run.once("errors", lambda: error_curve_data(run.problem, run.fitted))


ui.show(
    ui.Technique(
        slug="knn",
        algorithms={"k nearest neighbours": KNeighborsClassifier},
        groups={
            "Algorithm": {
                "n_neighbors": "Neighbours, k",
                "weights": "Votes",
                "metric": "Distance",
                "p": "Order p of minkowski",
            },
        },
        labelled=True,
        query="always",
        weighs_columns=True,
        start={"source": "library", "data": "iris", "test": "0.3"},
        limits=too_many_neighbors,
        scene=lambda run: knn_scene(run.problem, run.fitted, run.surface, run.query, errors(run).curve),
        handles={"k": "n_neighbors"},
        results={"Stored rows": "n_samples_fit_"},
        equivalent=lambda run: knn_code(run.estimator()),
        reference=lambda run: knn_reference(run.estimator(), run.problem.training.data, run.problem.training.y),
        compare=("predict_proba",),
        plots=(
            ui.Plot(
                "Error against k",
                lambda run: plot_error_curve(errors(run)),
                "Training error at k = 1 is 0 and says nothing: each row is its own neighbour. Choose k by the others.",
            ),
            ui.Plot(
                "Confusion matrix",
                lambda run: plot_confusion_matrix(confusion_data(run.problem, run.fitted)),
                "Which class is taken for which.",
            ),
        ),
        presets=(),
    )
)
