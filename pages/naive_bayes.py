import ui
from dmlib.classification import NaiveBayes
from dmlib.plots.confusion_matrix import confusion_data, plot_confusion_matrix
from dmlib.reference.naive_bayes import naive_bayes_code, naive_bayes_reference
from dmlib.scenes.naive_bayes import naive_bayes_scene

ui.show(
    ui.Technique(
        slug="naive_bayes",
        algorithms={"Naive Bayes": NaiveBayes},
        groups={
            "Algorithm": {
                "laplace": "Laplace: added to each count",
                "m_estimate": "m-estimate: rows added",
                "numeric": "Numbers are",
            },
            "Details": {
                "n_bins": "Intervals of a cut column",
                "ddof": "Variances divide by n minus",
                "var_smoothing": "Share of variance added",
            },
        },
        labelled=True,
        query="always",
        start={"source": "library", "data": "iris", "test": "0.3"},
        scene=lambda run: naive_bayes_scene(run.problem, run.trace, run.fitted, run.surface, run.query),
        results={},
        equivalent=lambda run: naive_bayes_code(run.estimator()),
        reference=lambda run: naive_bayes_reference(run.estimator(), run.problem.training.data, run.problem.training.y),
        compare=("predict_proba",),
        plots=(
            ui.Plot(
                "Confusion matrix",
                lambda run: plot_confusion_matrix(confusion_data(run.problem, run.fitted)),
                "Which class is taken for which.",
            ),
        ),
        presets=(),
    )
)
