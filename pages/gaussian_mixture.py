import ui
from dmlib.clustering import GaussianMixture
from dmlib.plots.contingency import contingency_data, plot_contingency
from dmlib.plots.mixture_sweep import mixture_sweep_data, plot_mixture_sweep
from dmlib.plots.silhouette import plot_silhouette, silhouette_data
from dmlib.reference.gaussian_mixture import gaussian_mixture_code, gaussian_mixture_reference
from dmlib.scenes.gaussian_mixture import gaussian_mixture_scene

ui.show(
    ui.Technique(
        slug="gaussian_mixture",
        algorithms={"EM": GaussianMixture},
        groups={
            "Algorithm": {
                "n_components": "Components, k",
                "covariance_type": "Shapes",
                "init": "Start",
                "n_init": "Restarts",
            },
            "Stopping": {"max_iter": "Most iterations", "tol": "Tolerance", "reg_covar": "Added to each variance"},
        },
        scene=lambda run: gaussian_mixture_scene(run.problem, run.trace, selected=run.selected, restart=run.restart),
        results={"Log-likelihood of a row": "lower_bound_", "Iterations": "n_iter_"},
        equivalent=lambda run: gaussian_mixture_code(run.estimator()),
        reference=lambda run: gaussian_mixture_reference(run.estimator(), run.problem.X),
        compare=("weights_", "means_", "covariances_", "predict_proba", "lower_bound_", "n_iter_"),
        plots=(
            ui.Plot(
                "Choose k",
                lambda run: plot_mixture_sweep(mixture_sweep_data(run.estimator(), run.problem.X)),
                "BIC and AIC weigh likelihood against the number of parameters; the smallest is best.",
            ),
            ui.Plot(
                "Silhouettes",
                lambda run: plot_silhouette(silhouette_data(run.problem.X, run.fitted.labels_), run.problem.rows),
                "One bar per row, for the likeliest component: long ellipses may be right and have short bars.",
            ),
            ui.Plot(
                "Known classes",
                lambda run: plot_contingency(contingency_data(run.fitted.labels_, run.problem.y, run.problem.classes)),
                "How the likeliest components share out classes that the mixture did not see.",
            ),
        ),
    )
)
