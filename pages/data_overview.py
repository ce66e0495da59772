import dashboard
from dmlib.preprocessing import ColumnSummary
from dmlib.preprocessing.bin_counts import WIDTH_RULES
from dmlib.preprocessing.data_overview.bins import RULE_NAMES
from dmlib.preprocessing.data_overview.figures.box_plots import box_plots
from dmlib.preprocessing.data_overview.figures.correlation_matrix import correlations
from dmlib.preprocessing.data_overview.figures.correlation_strengths import correlation_strengths
from dmlib.preprocessing.data_overview.figures.data_matrix import data_matrix
from dmlib.preprocessing.data_overview.figures.distance_matrix import distance_matrix
from dmlib.preprocessing.data_overview.figures.distributions import distributions
from dmlib.preprocessing.data_overview.figures.parallel_coordinates import parallel_coordinates
from dmlib.preprocessing.data_overview.figures.radar import radar, stars
from dmlib.preprocessing.data_overview.figures.scatter import scatter
from dmlib.preprocessing.data_overview.figures.scatter_3d import scatter_3d
from dmlib.preprocessing.data_overview.figures.scatter_matrix import scatter_matrix
from dmlib.preprocessing.data_overview.questions import Rule, questions
from dmlib.preprocessing.data_overview.reference import overview_reference
from dmlib.preprocessing.data_overview.scene import OPTIONS, data_overview_scene

COMPARED = ("counts_", "mean_", "median_", "variance_", "range_", "percentiles_", "covariance_")
BINS = dashboard.Setting(
    "bins",
    "Bins of histograms",
    *OPTIONS["bins"],
    names=RULE_NAMES,
    idle=dict.fromkeys(WIDTH_RULES, ("k",)),
)
K = dashboard.Setting("k", "Number of bins k", *OPTIONS["k"], "For rules that do not determine it.")
MEASURE = dashboard.Setting(
    "measure", "Correlation by", *OPTIONS["measure"], "Of values, of ranks, or not scaled."
)

TECHNIQUE = dashboard.Technique(
    slug="data_overview",
    methods={"Column": ColumnSummary},
    labels={"Column": {"scale": "Measurement scale"}},
    data=dashboard.Table(start={"source": "library", "data": "penguins"}, plane=False, whole=True),
    scene=data_overview_scene,
    check=dashboard.Check(overview_reference, COMPARED),
    results={"Median": "median_", "Variance": "variance_", "Range": "range_"},
    figures=(
        dashboard.Report("Columns", "columns"),
        dashboard.Report("Cleaning", "cleaning"),
        dashboard.Plot("Bars and histograms", distributions),
        dashboard.Plot("Box plots", box_plots),
        dashboard.Plot("Scatter", scatter, rows=True),
        dashboard.Plot("Scatter in 3-D", scatter_3d),
        dashboard.Plot(
            "Scatter matrix",
            scatter_matrix,
            "A box around a single point selects its row everywhere.",
            rows=True,
        ),
        dashboard.Plot("Parallel coordinates", parallel_coordinates),
        dashboard.Plot("Data matrix", data_matrix),
        dashboard.Plot("Distance matrix", distance_matrix),
        dashboard.Plot("Radar", radar),
        dashboard.Plot("Stars", stars),
        dashboard.Plot("Correlation", correlations),
        dashboard.Plot("Strengths of correlation", correlation_strengths),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.PickColumn("column", "Column on the stage", nominal=True), BINS, K, MEASURE),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
