import dashboard
from dmlib import feature_selection as selectors
from dmlib.feature_selection.figures import trust
from dmlib.feature_selection.figures.all_filters import all_filters
from dmlib.feature_selection.figures.by_size import by_size
from dmlib.feature_selection.questions import RULES, questions
from dmlib.feature_selection.reference import feature_selection_reference
from dmlib.feature_selection.scene import OPTIONS, feature_selection_scene

LOCAL = {"n_changes": "Changes at once", "start": "Start"}
ANNEALING = {"n_iter": "Proposals", "temperature": "First temperature", "cooling": "Cooling factor"}
GENETIC = {"population_size": "Population size", "n_generations": "Generations"}
MOVES = LOCAL | ANNEALING | GENETIC | {"mutation": "Mutation probability"}
GRAPH, SENSORS = "Sensors on a graph", {"n_sensors": "Sensors", "lazy": "Lazy gains"}
SEARCHES = ("Search, least squares", "Search, classifier", "Search, regression")

TECHNIQUE = dashboard.Technique(
    slug="feature_selection",
    methods={
        SEARCHES[0]: selectors.SubsetSearch,
        "Filter": selectors.FilterSelector,
        "Probes": selectors.ProbeSelector,
        "Coverage": selectors.CoverageSelector,
        SEARCHES[1]: selectors.WrapperSearch,
        SEARCHES[2]: selectors.RegressorSearch,
        "Zero-norm SVM": selectors.L0SVM,
        GRAPH: selectors.SensorPlacement,
    },
    labels={
        "Algorithm": {
            "search": "Search",
            "score_func": "Filter",
            "scoring": "Score",
            "classifier": "Classifier",
            "regressor": "Regression",
            "k": "Number of columns k",
            "n_probes": "Probes",
            "C": "Penalty C",
            "max_share": "Tolerated share of probes",
            "n_features_to_select": "Number of columns",
            "threshold": "Min. correlation",
            **MOVES,
            **SENSORS,
        },
        "Details": {
            "cv": "Folds",
            "n_neighbors": "Neighbours",
            "n_bins": "Bins",
            "probes": "Probe type",
            "max_iter": "Max. iterations",
            "tol": "Tolerance",
        },
    },
    data=dashboard.Table(
        "number",
        {"source": "library", "data": "mtcars", "columns": "wt cyl hp qsec am", "test": "0"},
        plane=False,
        targets={SEARCHES[1]: "classes", "Zero-norm SVM": "classes"},
    ),
    data_by_method={GRAPH: dashboard.Graph({"source": "library", "data": "karate_club"})},
    scene=feature_selection_scene,
    check=dashboard.Check(feature_selection_reference, ("support_",)),
    results={"Columns": "n_selected_"},
    results_by_method={GRAPH: {"Sensors": "n_sensors_", "Nodes covered": "n_covered_"}},
    figures=(
        dashboard.Plot("Error by size", by_size, "Only the training error falls with each column."),
        dashboard.Sweep(
            "Stability",
            trust.stability_data,
            trust.plot_stability,
            50,
            "The selections on bootstrap resamples.",
        ),
        dashboard.Sweep(
            "Inside the fold",
            trust.circularity_data,
            trust.plot_circularity,
            20,
            "Selecting before splitting flatters noise.",
        ),
        dashboard.Plot("All filters", all_filters, "Ranks of the columns by ten filters."),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(dashboard.Setting("all", "Scores of all sets", *OPTIONS["all"], methods=SEARCHES),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
