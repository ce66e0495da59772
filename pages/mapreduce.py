import dashboard
from dmlib.mapreduce import (
    DecisionTreeJob,
    FrequentItemsetsJob,
    KMeansJob,
    MatrixVectorJob,
    NaiveBayesJob,
    WordCountJob,
)
from dmlib.mapreduce.figures.measured_tasks import measured_tasks
from dmlib.mapreduce.figures.result_table import result_table
from dmlib.mapreduce.figures.speedup import speedup
from dmlib.mapreduce.questions import Rule, questions
from dmlib.mapreduce.reference import mapreduce_reference
from dmlib.mapreduce.scene import mapreduce_scene

METHODS = {"Word count": WordCountJob, "Matrix × vector": MatrixVectorJob, "k-means": KMeansJob}

TECHNIQUE = dashboard.Technique(
    slug="mapreduce",
    methods=METHODS
    | {
        "Naive Bayes": NaiveBayesJob,
        "Frequent item sets": FrequentItemsetsJob,
        "Decision tree": DecisionTreeJob,
    },
    labels={
        "Job": {
            "n_clusters": "Clusters (n_clusters)",
            "max_iter": "Max. iterations (max_iter)",
            "min_support": "Minimum support (min_support)",
            "max_length": "Maximum length (max_length)",
            "max_depth": "Maximum depth (max_depth)",
            "n_splits": "Splits, map tasks",
            "n_reducers": "Reducers",
            "combiner": "Combiner",
            "n_workers": "Workers",
        },
        "Cluster": {
            "bandwidth": "Bandwidth (bytes/s)",
            "speed": "Worker speed (pairs/s)",
            "partitioner": "Partitioner",
            "slowdown": "Slowdown of worker 1",
            "speculation": "Speculative execution",
            "failure": "Last worker fails (%)",
        },
    },
    opening="three-lines-counted",
    scene=mapreduce_scene,
    check=dashboard.Check(mapreduce_reference, ("n_keys_", "values_")),
    results={"Keys": "n_keys_", "Makespan (s)": "makespan_", "Bytes moved": "n_bytes_"},
    data=dashboard.Lines(
        start={"source": "library", "data": "state_of_the_union"},
        more=("iris", "weather_nominal", "five_baskets", "zoo_baskets"),
    ),
    figures=(
        dashboard.Plot(
            "Result", result_table, "The output of the reducers, the largest values first."
        ),
        dashboard.Plot("Workers", speedup, "The makespan on 1 to 12 workers."),
        dashboard.Plot(
            "Measured tasks",
            measured_tasks,
            "The map tasks as executed by the engine of this server.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
