import numpy as np
import pandas as pd
import pytest

from dmlib.large import LinearRegression, NaiveBayes, open_table, profile
from dmlib.large.blocks import Counted, summarised
from dmlib.trace import OutOfTime, watched
from tests.large.pieces import blobs, files


def rows(table, columns=None):
    """The rows of a table as they are read, in order."""
    source = open_table(table)
    return pd.concat(
        [block for piece in source.pieces for block in piece.blocks(source.select(columns))]
    )


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_files_are_read_as_they_were_written(tmp_path, ending):
    frame = blobs()
    folder = files(frame, tmp_path, ending)
    for path in (folder, str(folder), f"{folder}/*.{ending}"):
        source = open_table(path)
        assert source.columns == tuple(frame)
        assert source.numeric == ("a", "b", "c", "y")
        assert source.n_rows == (200 if ending == "parquet" else None)
        read = rows(path, ["sky", "a"])
        assert read["sky"].tolist() == frame["sky"].tolist()
        np.testing.assert_allclose(read["a"], frame["a"], rtol=1e-15)


def test_a_block_is_a_part_of_a_row_group(tmp_path, monkeypatch):
    monkeypatch.setattr("dmlib.large.source.FEWEST_ROWS", 10)
    monkeypatch.setattr("dmlib.large.source.CELLS", 20)
    pd.DataFrame({"a": np.arange(95.0), "b": 1}).to_parquet(tmp_path / "one.parquet")
    sizes = [
        len(block) for piece in open_table(tmp_path).pieces for block in piece.blocks(["a", "b"])
    ]
    assert sizes == [10] * 9 + [5]


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_column_that_one_file_lacks_is_named(tmp_path, ending):
    for i, frame in enumerate((blobs(9), blobs(9).drop(columns="b"))):
        path = tmp_path / f"part-{i}.{ending}"
        frame.to_parquet(path) if ending == "parquet" else frame.to_csv(path, index=False)
    with pytest.raises(
        ValueError, match=r"^The file 'part-1.\w+' has no column 'b', which 'part-0.\w+' has. Write"
    ):
        open_table(tmp_path)


def test_names_and_numbers_in_one_column_are_told(tmp_path):
    pd.DataFrame({"a": [1.0]}).to_parquet(tmp_path / "0.parquet")
    pd.DataFrame({"a": ["x"]}).to_parquet(tmp_path / "1.parquet")
    with pytest.raises(
        ValueError, match=r"The column 'a' holds double in '0.parquet' and .*string in '1.parquet'"
    ):
        open_table(tmp_path)
    (tmp_path / "0.csv").write_text("a,b\n1,x\n2,y\n")
    (tmp_path / "1.csv").write_text("a,b\n,x\nfour,y\n")
    with pytest.raises(
        ValueError, match=r"The file '1.csv' cannot be read: .*'four'.* Write it again\."
    ):
        profile(f"{tmp_path}/*.csv")


def test_whole_numbers_of_csv_may_be_followed_by_others(tmp_path):
    (tmp_path / "0.csv").write_text("a\n1\n2\n")
    (tmp_path / "1.csv").write_text("a\n2.5\n\n")
    assert profile(tmp_path)["a"].mean == pytest.approx(5.5 / 3)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda folder: folder / "nothing.parquet", "There is no file '.*nothing.parquet'."),
        (lambda folder: folder / "*.csv", "There is no file"),
        (lambda folder: folder, "is no Parquet or CSV file, and holds none."),
        (lambda folder: write_file(folder, "a.txt", b"a"), "is no Parquet or CSV file"),
        (
            lambda folder: write_file(folder, "a.parquet", b"no parquet"),
            "The file 'a.parquet' cannot be read: .*again.",
        ),
        (
            lambda folder: write_file(folder, "a.csv", b""),
            "The file 'a.csv' cannot be read: .*mpty.*again.",
        ),
        (lambda folder: 5, "is a path, a Dask data frame or a data frame, not a int."),
    ],
)
def test_what_is_no_table_gets_a_sentence(tmp_path, make, sentence):
    with pytest.raises(ValueError, match=sentence):
        open_table(make(tmp_path))


def write_file(folder, name, content):
    (folder / name).write_bytes(content)
    return folder / name


def test_a_file_that_is_damaged_inside_is_told(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"a": np.random.default_rng(0).normal(size=5000)}).to_parquet(path)
    content = bytearray(path.read_bytes())
    content[4:5000] = bytes(4996)
    path.write_bytes(content)
    assert open_table(path).n_rows == 5000
    with pytest.raises(
        ValueError, match=r"^The file 'a.parquet' cannot be read: .* Write it again\.$"
    ):
        profile(path)


def test_both_formats_in_one_folder_are_told(tmp_path):
    blobs(5).to_parquet(tmp_path / "a.parquet")
    blobs(5).to_csv(tmp_path / "a.csv")
    with pytest.raises(ValueError, match=r"holds Parquet files and CSV files. Name one kind"):
        open_table(tmp_path)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_table_without_rows_gets_a_sentence(tmp_path, ending):
    empty = files(blobs(0), tmp_path, ending, sizes=())
    with pytest.raises(ValueError, match=r"^The table has no rows\.$"):
        profile(empty)


def test_columns_that_cannot_be_used_are_named():
    frame = blobs(20)
    with pytest.raises(
        ValueError, match=r"The table has no column 'z'; it has 'a', 'b', 'c', 'sky', 'y', 'group'."
    ):
        NaiveBayes().fit(frame, "z")
    with pytest.raises(
        ValueError,
        match=r"The column 'sky' holds no numbers, and this needs numbers. Leave it out.",
    ):
        LinearRegression().fit(frame, "y", columns=["a", "sky"])
    with pytest.raises(ValueError, match=r"no column of numbers beside 'y'"):
        LinearRegression().fit(frame[["y", "sky"]], "y")


def test_a_long_pass_can_be_stopped(tmp_path):
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 2:
            raise OutOfTime("Stopped.")

    folder = files(blobs(), tmp_path, "csv", sizes=[10] * 19)
    with watched(stop), pytest.raises(OutOfTime):
        summarised(open_table(folder), ["a"], lambda block, _: Counted(len(block)))
    assert len(calls) == 2
