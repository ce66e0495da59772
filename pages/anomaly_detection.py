import dashboard
from dmlib.anomaly_detection import (
    BoxPlotFences,
    IsolationForest,
    KthNeighborDistance,
    LocalOutlierFactor,
    MahalanobisDistance,
)
from dmlib.anomaly_detection.figures.rankings import rankings
from dmlib.anomaly_detection.known import likely_class
from dmlib.anomaly_detection.questions import Rule, questions
from dmlib.anomaly_detection.reference import detector_reference
from dmlib.anomaly_detection.scene import anomaly_detection_scene

TECHNIQUE = dashboard.Technique(
    slug="anomaly_detection",
    methods={
        "Local outlier factor": LocalOutlierFactor,
        "Distance to the k-th neighbour": KthNeighborDistance,
        "Isolation forest": IsolationForest,
        "Mahalanobis distance": MahalanobisDistance,
        "Box-plot fences": BoxPlotFences,
    },
    labels={
        "Score and threshold": {
            "n_neighbors": "Neighbours k",
            "n_estimators": "Trees",
            "max_samples": "Rows per tree ψ",
            "contamination": "Share of anomalies",
            "quantile": "Quantile of χ²",
            "threshold": "Threshold",
        }
    },
    data=dashboard.Table(
        start={"source": "generator", "generator": "unequal_densities"}, known=True
    ),
    opening="dense-beside-loose",
    scene=anomaly_detection_scene,
    check=dashboard.Check(detector_reference, ("scores_",)),
    results={
        "Anomalies": "n_anomalies_",
        "Threshold": "threshold_",
        "Precision": dashboard.Result("precision_", is_share=True, optional=True),
        "Recall": dashboard.Result("recall_", is_share=True, optional=True),
        "AUC": dashboard.Result("auc_", optional=True),
    },
    figures=(
        dashboard.Plot(
            "Five rankings",
            rankings,
            "Each method's scores, as ranks: rows that all methods put first are safe to look at.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Drag("threshold"),
        dashboard.PickKnown("anomaly_class", "Known anomalies", likely_class),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
