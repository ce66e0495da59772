import dashboard
from dmlib.clustering import LVQ, SelfOrganizingMap, VectorQuantizer
from dmlib.clustering.vector_quantisation.coded_scene import OPTIONS
from dmlib.clustering.vector_quantisation.figures.size_sweep import size_against_k
from dmlib.clustering.vector_quantisation.questions import Rule, questions
from dmlib.clustering.vector_quantisation.reference import vector_quantisation_reference
from dmlib.clustering.vector_quantisation.scene import vector_quantisation_scene
from dmlib.pictures.data.image import image_panel

TECHNIQUE = dashboard.Technique(
    slug="vector_quantisation",
    methods={
        "k-means code book": VectorQuantizer,
        "Self-organising map": SelfOrganizingMap,
        "LVQ": LVQ,
    },
    labels={
        "Algorithm": {
            "n_clusters": "Codes k",
            "patch": "Patch side (pixels)",
            "n_rows": "Rows of the grid",
            "n_columns": "Columns of the grid",
            "n_prototypes": "Codes per class",
            "regions": "Classes by region",
        },
        "Learning": {
            "init": "Initial codes",
            "learning_rate": "Learning rate α",
            "width": "Neighbourhood width σ",
            "max_iter": "Max. iterations",
            "tol": "Tolerance",
        },
    },
    data=dashboard.Image(start={"source": "library", "data": "flower"}),
    scene=vector_quantisation_scene,
    check=dashboard.Check(vector_quantisation_reference, ("codebook_", "inertia_")),
    results={"PSNR (dB)": "psnr_", "Bits per pixel": "bits_per_pixel_", "Compression": "ratio_"},
    figures=(
        dashboard.Plot(
            "Size against k",
            size_against_k,
            "More codes cost bits and lower the error: each bit adds about 5 dB of PSNR.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Setting("view", "Picture", *OPTIONS["view"]),
        dashboard.Setting(
            "classes", "Show predicted classes", *OPTIONS["classes"], methods=("LVQ",)
        ),
        dashboard.Setting(
            "dithering",
            "Dithering",
            *OPTIONS["dithering"],
            methods=("k-means code book", "Self-organising map"),
        ),
        dashboard.Ask(always=True, panel=image_panel),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
