import ui
from dmlib.params import Choice, Integer
from dmlib.plots.box_plots import box_plots_data, plot_box_plots
from dmlib.plots.correlation_matrix import MEASURES, correlation_matrix_data, plot_correlation_matrix
from dmlib.plots.data_matrix import data_matrix_data, plot_data_matrix
from dmlib.plots.distance_matrix import distance_matrix_data, plot_distance_matrix
from dmlib.plots.distributions import distributions_data, plot_distributions
from dmlib.plots.parallel_coordinates import parallel_coordinates_data, plot_parallel_coordinates
from dmlib.plots.radar import plot_radar, plot_stars, radar_data, star_data
from dmlib.plots.scatter import plot_scatter
from dmlib.plots.scatter_matrix import plot_scatter_matrix, scatter_matrix_data
from dmlib.preprocessing import ColumnSummary
from dmlib.preprocessing.bins import RULES
from dmlib.reference.data_overview import overview_code, overview_reference
from dmlib.scenes.data_overview import data_overview_scene
from ui.overview import cleaning_report, columns_report


def distributions(run: ui.Run):
    """Draw how often the values of every column occur."""
    rule, k = run.options["bins"], run.options["k"]
    return plot_distributions(distributions_data(run.problem, rule, k), rule, len(run.problem.features))


def n_numeric(run: ui.Run) -> int:
    """Return the number of numeric columns."""
    return len(run.problem.features) - len(run.problem.categories)


ui.show(
    ui.Technique(
        slug="data_overview",
        algorithms={"Column": ColumnSummary},
        groups={"Column": {"scale": "Taken as"}},
        column=ui.ColumnChoice("column", "Column on the stage", nominal=True),
        options={
            "bins": ui.Option(
                "Bins of histograms",
                Choice(RULES),
                "sturges",
                "Sturges: as many as the number of rows asks for. Natural: k of equal width. Or k of equal frequency.",
                names={
                    "sturges": "Sturges' rule",
                    "natural": "natural: equal width",
                    "equal_frequency": "equal frequency",
                },
            ),
            "k": ui.Option("k, bins unless by Sturges", Integer(1, 200, shown=(2, 40)), 10),
            "measure": ui.Option("Correlation by", Choice(MEASURES), "pearson", "Of values, of ranks, or not scaled."),
        },
        start={"source": "library", "data": "penguins"},
        plane=False,
        whole_table=True,
        scene=lambda run: data_overview_scene(
            run.problem, run.trace, selected=run.selected, bins=run.options["bins"], k=run.options["k"]
        ),
        results={"Medians": "median_", "Variances": "variance_", "Ranges": "range_"},
        equivalent=lambda run: overview_code(),
        reference=lambda run: overview_reference(run.problem.data),
        compare=("counts_", "mean_", "median_", "variance_", "range_", "percentiles_", "covariance_"),
        reports=(
            ui.Report("Columns", columns_report),
            ui.Report("Cleaning", cleaning_report),
        ),
        plots=(
            ui.Plot("Bars and histograms", distributions),
            ui.Plot("Box plots", lambda run: plot_box_plots(box_plots_data(run.problem), n_numeric(run))),
            ui.Plot(
                "Scatter", lambda run: plot_scatter(run.problem, run.params["column"] - 1, run.selected), rows=True
            ),
            ui.Plot(
                "Scatter matrix",
                lambda run: plot_scatter_matrix(scatter_matrix_data(run.problem, run.selected)),
                "A box around a single point selects its row, on the stage and in the other figures too.",
                rows=True,
            ),
            ui.Plot(
                "Parallel coordinates",
                lambda run: plot_parallel_coordinates(parallel_coordinates_data(run.problem, run.selected)),
            ),
            ui.Plot("Data matrix", lambda run: plot_data_matrix(data_matrix_data(run.problem))),
            ui.Plot("Distance matrix", lambda run: plot_distance_matrix(distance_matrix_data(run.problem))),
            ui.Plot("Radar", lambda run: plot_radar(radar_data(run.problem, run.selected))),
            ui.Plot("Stars", lambda run: plot_stars(star_data(run.problem, run.selected))),
            ui.Plot(
                "Correlation",
                lambda run: plot_correlation_matrix(correlation_matrix_data(run.problem, run.options["measure"])),
            ),
        ),
        presets=(
            ui.Preset(
                "What names allow",
                "Only a mode: 6 of 14 days are mild. But hot, mild and cool are in an order: "
                "set Taken as to ordinal, and there are a median and quartiles.",
                {"data": "weather_nominal", "column": "temperature"},
            ),
            ui.Preset(
                "A mean where nobody is",
                "The mean, 3.49 minutes, lies between two heaps: only 20 of 272 eruptions last 3.2 to 3.8 minutes.",
                {"data": "faithful", "column": "eruptions"},
            ),
            ui.Preset(
                "Bins make the picture",
                "Two bins: long eruptions are the more frequent, 171 to 101. Set k to 3, and there is a valley: "
                "94, 36, 142. Set it to 40, and there are many. Then try equal frequency.",
                {"data": "faithful", "column": "eruptions", "bins": "natural", "k": 2},
            ),
            ui.Preset(
                "Holes",
                "Hollow points: 37 of 153 days without ozone. The mean of the others, 42.1, is far above the median, "
                "31.5. Open Cleaning and fill the holes with the mean: the spread shrinks from 33.0 to 28.7.",
                {"data": "airquality", "column": "ozone"},
            ),
            ui.Preset(
                "A ratio without a zero",
                "Taken as ratio, the spread is 12.2% of the mean, in °F; in °C it would be 20.6%. So it says nothing: "
                "this zero is arbitrary. Set Taken as to interval.",
                {"data": "airquality", "column": "temperature"},
            ),
            ui.Preset(
                "Same numbers, other stories",
                "Open Scatter: with each y the covariance is 5.50 and r = 0.816, and the means of y are 7.5. "
                "A cloud, a curve, and a line with one outlier.",
                {"data": "anscombe", "anscombe.features": ["x1", "y1", "y2", "y3"], "column": "x1"},
            ),
            ui.Preset(
                "One wage",
                "24 of 534 wages are outliers. The highest alone, 44.5, raises the variance from 24.1 to 26.4; "
                "without it the median stays 7.78.",
                {"data": "wages", "column": "wage"},
            ),
            ui.Preset(
                "Three species, three shapes",
                "Open Radar, Stars, Data matrix: setosa has small petals and wide sepals. Drag over small petals in "
                "the Scatter matrix, and see where these rows are in the other panels.",
                {"data": "iris", "column": "petal_length"},
            ),
        ),
        sources=(
            "S. S. Stevens (1946), On the theory of scales of measurement",
            "J. W. Tukey (1977), Exploratory data analysis",
            "H. A. Sturges (1926), The choice of a class interval",
        ),
    )
)
