import ui
from dmlib.feature_selection import L0SVM, CoverageSelector, FilterSelector, ProbeSelector, SubsetSearch, WrapperSearch
from dmlib.feature_selection.figures.all_filters import all_filters
from dmlib.feature_selection.figures.by_size import by_size
from dmlib.feature_selection.figures.trust import circularity_data, plot_circularity, plot_stability, stability_data
from dmlib.feature_selection.reference import feature_selection_code, feature_selection_reference
from dmlib.feature_selection.scene import OPTIONS, feature_selection_scene

SEARCHES = ("Search, least squares", "Search, classifier")

ui.show(
    ui.Technique(
        slug="feature_selection",
        methods={
            SEARCHES[0]: SubsetSearch,
            "Filter": FilterSelector,
            "Probes": ProbeSelector,
            "Coverage": CoverageSelector,
            SEARCHES[1]: WrapperSearch,
            "Zero-norm SVM": L0SVM,
        },
        labels={
            "Algorithm": {"search": "Search", "score_func": "Filter", "scoring": "Score", "classifier": "Classifier"}
            | {"k": "Number of columns k", "n_probes": "Probes", "max_share": "Tolerated share of probes"}
            | {"threshold": "Min. correlation", "n_features_to_select": "Number of columns", "C": "Penalty C"},
            "Details": {"cv": "Folds", "n_neighbors": "Neighbours", "n_bins": "Bins", "probes": "Probe type"}
            | {"max_iter": "Max. iterations", "tol": "Tolerance"},
        },
        data=ui.Table(
            "number",
            {"source": "library", "data": "mtcars", "columns": "wt cyl hp qsec am", "test": "0"},
            plane=False,
            targets={SEARCHES[1]: "classes", "Zero-norm SVM": "classes"},
        ),
        scene=feature_selection_scene,
        check=ui.Check(feature_selection_reference, ("support_",), feature_selection_code),
        results={"Columns": "n_selected_"},
        figures=(
            ui.Plot("Error by size", by_size, "The training error falls with every column; the test error does not."),
            ui.sweep("Stability", stability_data, plot_stability, 50, "The selections on bootstrap resamples."),
            ui.sweep(
                "Inside the fold",
                circularity_data,
                plot_circularity,
                20,
                "Selection before the folds makes noise look predictive.",
            ),
            ui.Plot("All filters", all_filters, "Ranks of the columns by ten filters."),
        ),
        tools=(ui.Setting("all", "Scores of all sets", *OPTIONS["all"], methods=SEARCHES),),
    )
)
