import ui
from dmlib.classification import PEBLS, KNeighborsClassifier
from dmlib.params import Flag
from dmlib.plots.error_curve import error_curve_data, plot_error_curve
from dmlib.reference.knn import knn_code, knn_reference
from dmlib.reference.pebls import pebls_code, pebls_reference
from dmlib.scenes.knn import knn_scene, too_many_neighbors, too_many_powers
from dmlib.scenes.pebls import pebls_scene

NEIGHBORS, EXEMPLARS = "k nearest neighbours", "PEBLS"


def scene(run: ui.Run):
    """Draw what decides: the nearest rows, or the nearest exemplar."""
    if run.algorithm is PEBLS:
        return pebls_scene(run.problem, run.fitted, run.surface, run.query)
    curve = errors(run).curve
    return knn_scene(run.problem, run.fitted, run.surface, run.query, curve, pruning=run.options["pruning"])


def errors(run: ui.Run):
    """Measure the error against k."""
    if run.algorithm is PEBLS:
        raise ValueError("PEBLS always asks one stored row; choose the method k nearest neighbours to vary k.")
    return run.once("errors", lambda: error_curve_data(run.problem, run.fitted))


ui.show(
    ui.Technique(
        slug="knn",
        algorithms={NEIGHBORS: KNeighborsClassifier, EXEMPLARS: PEBLS},
        groups={
            "Algorithm": {
                "n_neighbors": "Neighbours, k",
                "weights": "Votes",
                "metric": "Distance",
                "p": "Order p of minkowski",
                "weighted": "Distrust rows that were wrong",
            },
        },
        labelled=True,
        query="always",
        weighs_columns=True,
        start={"source": "library", "data": "iris", "test": "0.3"},
        limits=lambda *run: too_many_neighbors(*run) or too_many_powers(*run),
        scene=scene,
        options={
            "pruning": ui.Option(
                "Leave out far rows",
                Flag(),
                False,
                "Distances known beforehand say how far each row is at least, by the triangle inequality: "
                "rows that are too far need not be measured.",
                methods=(NEIGHBORS,),
            ),
        },
        handles={"k": "n_neighbors"},
        results={"Stored rows": "n_samples_fit_"},
        equivalent=lambda run: (pebls_code if run.algorithm is PEBLS else knn_code)(run.estimator()),
        reference=lambda run: (pebls_reference if run.algorithm is PEBLS else knn_reference)(
            run.estimator(), run.problem.training.data, run.problem.training.y
        ),
        compare=("predict_proba",),
        plots=(
            ui.Plot(
                "Error against k",
                lambda run: plot_error_curve(errors(run)),
                "Training error at k = 1 is 0 and says nothing: each row is its own neighbour. Choose k by the others.",
            ),
            ui.confusion_matrix(),
        ),
        presets=(
            ui.Preset(
                "Wine, as it is and standardised",
                "Regions are flat bands, because proline is in hundreds and decides alone. Set Scaling to z-score: the "
                "test error falls from 0.30 to 0.15.",
                {"data": "wine", "wine.features": ["alcohol", "proline"], "n_neighbors": 15},
            ),
            ui.Preset(
                "One neighbour, then many",
                "Islands stand around single rows, and the training error is 0. Drag k: leave-one-out is best near 19, "
                "and at 100 more than twice as bad.",
                {"source": "generator", "generator": "moons", "moons.n_samples": 300, "moons.noise": 0.7, "seed": 2}
                | {"n_neighbors": 1},
            ),
            ui.Preset(
                "The small class disappears",
                "Ten rows cannot win a vote of 25, so the second class has no region at all. Drag k below 20, or let "
                "near rows count more: set Votes to distance.",
                {"source": "generator", "generator": "unequal_sizes", "unequal_sizes.n_samples": 150}
                | {"unequal_sizes.centers": 2, "unequal_sizes.ratio": 10.0, "unequal_sizes.spread": 1.0}
                | {"n_neighbors": 25},
            ),
            ui.Preset(
                "Nothing to learn",
                "The classes are drawn at random, yet the training error is 0 at k = 1. The other two curves tell the "
                "truth: about half of the answers are wrong, whatever k.",
                {"source": "generator", "generator": "uniform_noise", "n_neighbors": 1},
            ),
            ui.Preset(
                "What need not be measured",
                "Step once: faint rows are farther away than the last neighbour for sure, so nobody measures them. "
                "Drag the query: the ring around the large mark holds all rows that could be near.",
                {"data": "iris", "pruning": True},
            ),
            ui.Preset(
                "Discs, squares, diamonds",
                "The outline of the neighbourhood is a square. Choose manhattan for a diamond and euclidean for a "
                "disc: other rows join.",
                {"source": "generator", "blobs.n_samples": 120, "n_neighbors": 9, "metric": "chebyshev"},
            ),
            ui.Preset(
                "A distance that knows the slant",
                "The outline is an ellipse along the groups: covariance is divided out. Choose euclidean: the "
                "leave-one-out error rises from 0.09 to 0.14.",
                {"source": "generator", "generator": "anisotropic", "anisotropic.n_samples": 200}
                | {"anisotropic.spread": 0.6, "anisotropic.stretch": 6.0, "n_neighbors": 15, "metric": "mahalanobis"},
            ),
            ui.Preset(
                "Names count 0 or 1",
                "A different answer adds 1 under the root, an equal one 0. So many patients are equally far that those "
                "stored first join.",
                {"data": "contact_lenses", "test": 0, "n_neighbors": 3},
            ),
            ui.Preset(
                "Alike by their classes",
                "PEBLS learns how far values are apart: sunny and rainy 0.4, as they go with like answers, sunny and "
                "overcast 1.2. Row 6 was wrong about two others and looks three times as far away.",
                {"method": EXEMPLARS, "data": "weather_nominal", "test": 0},
            ),
            ui.Preset(
                "A row that is not trusted",
                "Row 6 is nearest, and would say no. It was wrong before, so its distance counts twice, and row 10 "
                "says yes, which is right. Switch Distrust rows that were wrong off.",
                {"method": EXEMPLARS, "data": "weather_nominal", "seed": 4, "point": 11},
            ),
        ),
    )
)
