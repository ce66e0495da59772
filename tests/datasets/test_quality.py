"""Notes on a table as a whole."""

import pandas as pd

from dmlib.datasets import read_table
from tests.datasets.messy.containers import parquet


def test_what_was_not_looked_for_in_a_huge_table_is_told(monkeypatch):
    frame = pd.DataFrame({"id": range(100, 150), "a": [1.5, 2.5] * 25, "b": [3.0, 5.0] * 25})
    data = parquet(pd.concat([frame, frame]))
    kinds = [note.kind for note in read_table(data, "data.parquet").notes]
    assert {"duplicate_rows", "collinear"} <= set(kinds)
    assert "long" not in kinds
    monkeypatch.setattr("dmlib.datasets.reading.quality._MAX_CELLS", 299)
    notes = {note.kind: note.text for note in read_table(data, "data.parquet").notes}
    assert "100 rows" in notes["long"]
    assert not {"duplicate_rows", "collinear"} & set(notes)


def test_a_column_of_parquet_that_names_the_rows_is_told():
    frame = pd.DataFrame(
        {"customer_id": [1000 + i * 37 % 50 for i in range(50)], "x": [i % 7 for i in range(50)]}
    )
    table = read_table(parquet(frame), "data.parquet")
    assert dict(table.kinds) == {"customer_id": "id", "x": "numeric"}
    assert "id_column" in [note.kind for note in table.notes]
