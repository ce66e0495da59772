import dashboard
from dmlib.clustering import GaussianMixture
from dmlib.clustering.gaussian_mixture.figures.mixture_sweep import mixtures
from dmlib.clustering.gaussian_mixture.questions import Rule, questions
from dmlib.clustering.gaussian_mixture.reference import gaussian_mixture_reference
from dmlib.clustering.gaussian_mixture.scene import gaussian_mixture_scene

TECHNIQUE = dashboard.Technique(
    slug="gaussian_mixture",
    methods={"EM": GaussianMixture},
    labels={
        "Algorithm": {
            "n_components": "Components k",
            "covariance_type": "Covariance type",
            "variance": "Variance σ²",
            "init": "Initialisation",
            "n_init": "Restarts",
        },
        "Stopping": {
            "max_iter": "Max. iterations",
            "tol": "Tolerance",
            "reg_covar": "Regularisation (reg_covar)",
        },
    },
    data=dashboard.Table(start={"source": "library", "data": "wine", "scaling": "z-score"}),
    opening="from-three-random-rows",
    scene=gaussian_mixture_scene,
    check=dashboard.Check(
        gaussian_mixture_reference,
        ("weights_", "means_", "covariances_", "predict_proba", "log_likelihood_", "n_iter_"),
    ),
    results={"Log-likelihood": "log_likelihood_", "Iterations": "n_iter_"},
    figures=(
        dashboard.Plot(
            "Choose k",
            mixtures,
            "BIC and AIC weigh likelihood against the number of parameters; the smallest is best.",
        ),
        dashboard.silhouettes(
            note=("By the most probable component: long ellipses may be right and have short bars.")
        ),
        dashboard.known_classes(
            note="How the known classes are distributed over the most probable components."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
