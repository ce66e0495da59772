import dashboard
from dmlib.similarity import DistanceConcentration
from dmlib.similarity.curse_of_dimensionality.figures.noise import (
    DRAWS,
    hubs,
    noise_data,
    plot_noise,
)
from dmlib.similarity.curse_of_dimensionality.figures.volumes import cover, gamma_surface, volumes
from dmlib.similarity.curse_of_dimensionality.questions import Rule, questions
from dmlib.similarity.curse_of_dimensionality.reference import curse_reference
from dmlib.similarity.curse_of_dimensionality.scene import curse_scene

COMPARED = ("nearest_", "farthest_", "contrast_", "gamma_", "hubness_")
MOONS = {
    "source": "generator",
    "generator": "moons",
    "moons.n_samples": "120",
    "moons.noise": "0.1",
}

TECHNIQUE = dashboard.Technique(
    slug="curse_of_dimensionality",
    methods={"Columns added": DistanceConcentration},
    labels={
        "Columns": {
            "n_dimensions": "Total columns",
            "n_neighbors": "Neighbours k",
            "noise": "Noise",
        }
    },
    data=dashboard.Table(start=MOONS, plane=False, max_rows=300, row_limit=1000, known=True),
    scene=curse_scene,
    check=dashboard.Check(curse_reference, COMPARED),
    results={
        "Contrast": "contrast_",
        "Exponent γ": "gamma_",
        "k-NN error": dashboard.Result("error_", is_share=True),
    },
    figures=(
        dashboard.Sweep(
            "Noise",
            noise_data,
            plot_noise,
            DRAWS,
            "Distances count irrelevant columns as much as relevant ones.",
        ),
        dashboard.Plot(
            "Hubs",
            hubs,
            "In many columns a few rows, the hubs, are neighbours of many others,"
            " and many rows of none.",
        ),
        dashboard.Plot(
            "γ by rows and columns", gamma_surface, "Distances concentrate; more rows do not help."
        ),
        dashboard.Plot(
            "Volumes",
            volumes,
            "Intuition from two dimensions misleads: the middle of a cube is empty.",
        ),
        dashboard.Plot(
            "Rows to cover the cube", cover, "Each column multiplies the rows that are needed."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
