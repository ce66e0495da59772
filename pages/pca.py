import ui
from dmlib.decomposition import PCA
from dmlib.params import Number
from dmlib.plots.biplot import biplot_data, plot_biplot, plot_loadings, plot_scores_3d
from dmlib.plots.reconstruction import plot_pictures, plot_reconstruction, reconstruction_data
from dmlib.plots.scree import plot_scree, scree_data
from dmlib.reference.pca import pca_code, pca_reference
from dmlib.scenes.pca import pca_scene

ARRESTS = ["murder", "assault", "urban_pop", "rape"]
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
PIXELS = [f"pixel_{i}_{j}" for i in range(8) for j in range(8)]


def rebuilt(run: ui.Run):
    """Return what the components give back of the rows with noise."""
    return reconstruction_data(run.estimator(), run.problem, run.options["noise"], run.seed)


ui.show(
    ui.Technique(
        slug="pca",
        algorithms={"PCA": PCA},
        groups={
            "Algorithm": {"n_components": "Components kept, k", "whiten": "Whiten the scores"},
            "Computation": {
                "svd_solver": "Answer computed by",
                "tol": "An axis rests below, rad",
                "max_iter": "Most turns of an axis",
            },
        },
        options={
            "angle": ui.Option(
                "Your axis, °",
                Number(0.0, 180.0, step=1.0),
                20.0,
                "Or drag its end in the picture, or the line beside it.",
            ),
            "noise": ui.Option(
                "Noise to take out",
                Number(0.0, 10.0, shown=(0.0, 2.0), step=0.1),
                0.0,
                "Added below, under Reconstruction and Rows rebuilt: its standard deviation, in those of the columns.",
            ),
        },
        start={"source": "library", "data": "el_nino"},
        handles={"axis": "angle", "angle": "angle"},
        weighs_columns=True,
        scene=lambda run: pca_scene(run.problem, run.trace, angle=run.options["angle"], selected=run.selected),
        results={"Variance explained": "explained_variance_ratio_"},
        equivalent=lambda run: pca_code(run.estimator()),
        reference=lambda run: pca_reference(run.estimator(), run.problem.X),
        compare=("components_", "explained_variance_", "singular_values_", "mean_", "noise_variance_", "transform"),
        plots=(
            ui.Plot(
                "Scree",
                lambda run: plot_scree(scree_data(run.fitted, run.problem.X)),
                "How much each component explains. The rules need not agree: none of them knows what you need.",
            ),
            ui.Plot(
                "Biplot",
                lambda run: plot_biplot(biplot_data(run.fitted, run.problem)),
                "Arrows that point the same way are columns that rise together; at right angles they have no relation.",
            ),
            ui.Plot(
                "Loadings",
                lambda run: plot_loadings(biplot_data(run.fitted, run.problem)),
                "The correlation of each column with each component.",
            ),
            ui.Plot("Scores in 3-D", lambda run: plot_scores_3d(biplot_data(run.fitted, run.problem))),
            ui.Plot(
                "Reconstruction",
                lambda run: plot_reconstruction(rebuilt(run)),
                "What is lost when only k components are kept.",
            ),
            ui.Plot(
                "Rows rebuilt",
                lambda run: plot_pictures(rebuilt(run)),
                "Some rows, and what k components give back of them: try the presets on digits.",
            ),
        ),
        presets=(
            ui.Preset(
                "Standardise or not",
                "Assaults have the largest numbers, so component 1 is assaults alone: 96.6%. Set Scaling to z-score: "
                "three kinds of arrest share it, and it holds 62.0%.",
                {"data": "us_arrests", "us_arrests.features": ARRESTS},
            ),
            ui.Preset(
                "Four columns in a plane",
                "Two components hold 86.8%. Open Biplot: the three kinds of arrest point one way, city people across.",
                {"data": "us_arrests", "us_arrests.features": ARRESTS, "us_arrests.view": "pca", "scaling": "z-score"},
            ),
            ui.Preset(
                "Twelve months, two stories",
                "Open Loadings: in component 1 (71%) all months are warm together; component 2 (16%) tells years "
                "that warm up from years that cool down.",
                {"data": "el_nino", "el_nino.features": MONTHS, "el_nino.view": "pca", "n_components": 2},
            ),
            ui.Preset(
                "A digit comes back",
                "Each component found is a picture, and brings the digit beside it nearer. Click another point.",
                {"data": "digits", "digits.features": PIXELS, "digits.view": "pca"}
                | {"n_components": 10, "tol": 0.001},
            ),
            ui.Preset(
                "Noise is left out",
                "Open Rows rebuilt: 14 of 64 components come nearest to the clean digits. With k = all, noise is back.",
                {"data": "digits", "digits.features": PIXELS, "digits.view": "pca"}
                | {"n_components": 14, "tol": 0.001, "noise": 1.0},
            ),
            ui.Preset(
                "Groups across the axis",
                "Component 1 holds 80% of the variance and mixes the groups; component 2, with 20%, tells them apart.",
                {"source": "generator", "generator": "anisotropic", "anisotropic.n_samples": 120}
                | {"anisotropic.centers": 2, "anisotropic.stretch": 6.0, "anisotropic.angle": 30.0},
            ),
            ui.Preset(
                "A ring has no axis",
                "The curve is nearly flat: every axis explains about half, and 142 turns are needed to find the best.",
                {"source": "generator", "generator": "circles", "circles.n_samples": 150, "seed": 1},
            ),
            ui.Preset(
                "One point turns the axis",
                "Without the far point the axis lies at 7°, with it at 125°. Drag the point down to the others.",
                {"source": "draw", "points": "UAMgAXwQQAa4NIAeoQ4AhwNwAk4RgAoAOYArwSIAu4PoAyoSwA1wQQAQQL4AZA8AA"},
            ),
        ),
        sources=(
            "K. Pearson (1901), On lines and planes of closest fit to systems of points in space",
            "H. Hotelling (1933), Analysis of a complex of statistical variables into principal components",
            "I. T. Jolliffe (2002), Principal component analysis",
        ),
    )
)
