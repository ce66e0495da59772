import dashboard
from dmlib.decomposition import NMF, SVD, Autoencoder, ImageParts, ImageSVD, SparseCoding
from dmlib.decomposition.factorisation.figures.ranks import (
    REPEATS,
    empty_data,
    energy_by_rank,
    plot_empty,
)
from dmlib.decomposition.factorisation.questions import Rule, questions
from dmlib.decomposition.factorisation.reference import PREPARED, factorisation_reference
from dmlib.decomposition.factorisation.scene import factorisation_scene

PIXELS = " ".join(f"pixel_{row}_{column}" for row in range(8) for column in range(8))
PICTURE = dashboard.Image({"data": "flower"})

TECHNIQUE = dashboard.Technique(
    slug="factorisation",
    methods={
        "SVD": SVD,
        "NMF": NMF,
        "Autoencoder": Autoencoder,
        "Sparse coding": SparseCoding,
        "Topics of texts": NMF,
        "Picture": ImageSVD,
        "Picture of parts": ImageParts,
    },
    labels={
        "Factorisation": {
            "learner": "Learner",
            "n_components": "Parts k",
            "center": "Centre the columns",
            "beta_loss": "Loss",
            "activation": "Units",
            "n_nonzero_coefs": "Atoms per row",
            "patch": "Patch side (1: rows)",
            "noise": "Added noise",
        },
        "Search": {"learning_rate": "Learning rate", "max_iter": "Max. steps", "tol": "Tolerance"},
    },
    data=dashboard.Table(
        start={"source": "library", "data": "digits", "columns": PIXELS},
        plane=False,
        whole=True,
        known=True,
        max_rows=400,
    ),
    data_by_method={
        "Topics of texts": dashboard.Bags({"source": "texts"}, tf_idf=True),
        "Picture": PICTURE,
        "Picture of parts": PICTURE,
    },
    scene=factorisation_scene,
    check=dashboard.Check(factorisation_reference, ("rmse_",)),
    results={
        "Energy kept": dashboard.Result("energy_", is_share=True),
        "RMSE": "rmse_",
        "Parts": dashboard.Result("n_components_", field="n"),
    },
    figures=(
        dashboard.Plot(
            "How many parts",
            energy_by_rank,
            "Energy kept and noise removed, by the number of parts.",
        ),
        dashboard.Sweep(
            "Empty cells",
            empty_data,
            plot_empty,
            REPEATS,
            "A recommender and its error on held-out cells.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    prepared=dashboard.Prepared(*PREPARED),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
