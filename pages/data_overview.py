import ui
from dmlib.preprocessing import ColumnSummary
from dmlib.preprocessing.data_overview.bins import RULE_NAMES
from dmlib.preprocessing.data_overview.figures.box_plots import box_plots
from dmlib.preprocessing.data_overview.figures.correlation_matrix import correlations
from dmlib.preprocessing.data_overview.figures.data_matrix import data_matrix
from dmlib.preprocessing.data_overview.figures.distance_matrix import distance_matrix
from dmlib.preprocessing.data_overview.figures.distributions import distributions
from dmlib.preprocessing.data_overview.figures.parallel_coordinates import parallel_coordinates
from dmlib.preprocessing.data_overview.figures.radar import radar, stars
from dmlib.preprocessing.data_overview.figures.scatter import scatter
from dmlib.preprocessing.data_overview.figures.scatter_matrix import scatter_matrix
from dmlib.preprocessing.data_overview.reference import overview_reference
from dmlib.preprocessing.data_overview.scene import OPTIONS, data_overview_scene
from ui.overview import cleaning_report, columns_report

COMPARED = ("counts_", "mean_", "median_", "variance_", "range_", "percentiles_", "covariance_")
BINS = ui.Setting(
    "bins", "Bins of histograms", *OPTIONS["bins"], names=RULE_NAMES, idle={"sturges": ("k",)}
)
K = ui.Setting("k", "Number of bins k", *OPTIONS["k"], "For rules that do not determine it.")
MEASURE = ui.Setting(
    "measure", "Correlation by", *OPTIONS["measure"], "Of values, of ranks, or not scaled."
)

ui.show(
    ui.Technique(
        slug="data_overview",
        methods={"Column": ColumnSummary},
        labels={"Column": {"scale": "Measurement scale"}},
        data=ui.Table(start={"source": "library", "data": "penguins"}, plane=False, whole=True),
        scene=data_overview_scene,
        check=ui.Check(overview_reference, COMPARED),
        results={"Median": "median_", "Variance": "variance_", "Range": "range_"},
        figures=(
            ui.Report("Columns", columns_report),
            ui.Report("Cleaning", cleaning_report),
            ui.Plot("Bars and histograms", distributions),
            ui.Plot("Box plots", box_plots),
            ui.Plot("Scatter", scatter, rows=True),
            ui.Plot(
                "Scatter matrix",
                scatter_matrix,
                "A box around a single point selects its row everywhere.",
                rows=True,
            ),
            ui.Plot("Parallel coordinates", parallel_coordinates),
            ui.Plot("Data matrix", data_matrix),
            ui.Plot("Distance matrix", distance_matrix),
            ui.Plot("Radar", radar),
            ui.Plot("Stars", stars),
            ui.Plot("Correlation", correlations),
        ),
        tools=(ui.PickColumn("column", "Column on the stage", nominal=True), BINS, K, MEASURE),
    )
)
