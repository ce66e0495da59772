import ui
from dmlib.clustering import GaussianMixture
from dmlib.plots.mixture_sweep import mixture_sweep_data, plot_mixture_sweep
from dmlib.reference.gaussian_mixture import gaussian_mixture_code, gaussian_mixture_reference
from dmlib.scenes.gaussian_mixture import gaussian_mixture_scene

OUTLIER = {
    "source": "generator",
    "blobs.n_samples": 60,
    "blobs.centers": 2,
    "blobs.spread": 0.6,
    "blobs.n_outliers": 1,
    "seed": 2,
}

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
        start={"source": "library", "data": "wine"},
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
            ui.silhouettes(
                note="One bar per row, for the likeliest component: long ellipses may be right and have short bars."
            ),
            ui.known_classes(note="How the likeliest components share out classes that the mixture did not see."),
        ),
        presets=(
            ui.Preset(
                "Old Faithful: two kinds of eruption",
                "The shares of rows between the ellipses are found first, then the ellipses that fit them. At the end "
                "the BIC is 2322.19; Choose k below the picture finds no smaller one.",
                {"data": "faithful", "n_components": 2},
            ),
            ui.Preset(
                "Three that lean alike",
                "k-means, the start, cuts the groups across; EM puts it right. Set Shapes to tied: it needs fewer "
                "parameters, and the BIC falls from 1479.5 to 1451.6. Set them to spherical: the groups are cut again.",
                {"source": "generator", "generator": "anisotropic", "seed": 2},
            ),
            ui.Preset(
                "A tight group beside a loose one",
                "A row near a border counts for both sides, and each circle finds its own size. Click such a row to "
                "see its shares.",
                {
                    "source": "generator",
                    "generator": "unequal_densities",
                    "seed": 2,
                    "covariance_type": "spherical",
                },
            ),
            ui.Preset(
                "Circles, where units differ",
                "Proline is in hundreds, so a circle sees nothing else and covers all flavanoids. Set Scaling to "
                "z-score: the components follow the cultivars better.",
                {"data": "wine", "covariance_type": "spherical"},
            ),
            ui.Preset(
                "A component for one outlier",
                "Component 1 has a single row, and only what is added to each variance keeps its likelihood finite: "
                "make that smaller, and the log-likelihood rises.",
                OUTLIER,
            ),
            ui.Preset(
                "Collapse",
                "Nothing is added to the variances: a component on a single row has an infinite likelihood, so it "
                "starts anew, at last at another row.",
                OUTLIER | {"reg_covar": 0},
            ),
            ui.Preset(
                "Random shares, and a short walk",
                "All components start almost alike, and little changes at first: the run ends at −1502.34. Set "
                "Tolerance to 0: it goes on to −1410.87.",
                {"data": "wine", "seed": 3, "init": "random"},
            ),
            ui.Preset(
                "Two moons",
                "A moon is no ellipse: each component takes the tip of the other moon too. Choose k below the picture: "
                "the BIC is smallest for five.",
                {"source": "generator", "generator": "moons", "n_components": 2},
            ),
        ),
    )
)
