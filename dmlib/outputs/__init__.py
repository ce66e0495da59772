"""Results out of the house: new columns of a table, files with their settings, models as code."""

from dmlib.outputs.files import settings_table, sheet_refusal, to_excel, to_parquet
from dmlib.outputs.models import model_json, model_python, model_rules
from dmlib.outputs.networks import network_bif
from dmlib.outputs.rows import CLUSTER, fitted_columns, has_outputs, predicted_columns
from dmlib.outputs.table import joined, sample_outputs, with_outputs

__all__ = [
    "CLUSTER",
    "fitted_columns",
    "has_outputs",
    "joined",
    "model_json",
    "model_python",
    "model_rules",
    "network_bif",
    "predicted_columns",
    "sample_outputs",
    "settings_table",
    "sheet_refusal",
    "to_excel",
    "to_parquet",
    "with_outputs",
]
