"""Compressed files, archives, and files of other programs."""

import gzip
import zipfile
import zlib

from tests.datasets.messy.case import HEAD, Case, Refused, people, unchanged
from tests.datasets.messy.containers import RECORDS_AS_ROWS, parquet
from tests.datasets.messy.office import xlsx, zipped


def encrypted() -> bytes:
    """Return an archive whose only member says that it is encrypted."""
    data = bytearray(zipped({"data.csv": people()}))
    data[6] |= 1
    data[data.find(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


CASES = (
    Case(
        "gzip", lambda: gzip.compress(people().encode()), unchanged(silent=True), name="data.csv.gz"
    ),
    Case(
        "gzip under another name",
        lambda: gzip.compress(people().encode()),
        unchanged("format_guessed"),
    ),
    Case(
        "gzip of two parts",
        lambda: gzip.compress(people().encode()[:100]) + gzip.compress(people().encode()[100:]),
        unchanged(),
        name="data.csv.gz",
    ),
    Case(
        "gzip of a workbook",
        lambda: gzip.compress(xlsx({"S": [list(HEAD), *RECORDS_AS_ROWS]})),
        unchanged(),
        name="data.xlsx.gz",
    ),
    Case("gzip of nothing", lambda: gzip.compress(b""), Refused("empty_file"), name="data.csv.gz"),
    Case(
        "gzip cut off",
        lambda: gzip.compress(people().encode())[:-12],
        Refused("corrupt"),
        name="data.csv.gz",
    ),
    Case(
        "gzip with a wrong sum",
        lambda: gzip.compress(people().encode())[:-8] + bytes(8),
        Refused("corrupt"),
        name="data.csv.gz",
    ),
    Case(
        "gzip in gzip",
        lambda: gzip.compress(gzip.compress(people().encode())),
        Refused("wrong_format"),
        name="data.csv.gz",
    ),
    Case("zlib", lambda: zlib.compress(people().encode() * 20), Refused("binary"), name="data.csv"),
    Case("zip", lambda: zipped({"data.csv": people()}), unchanged(silent=True), name="data.zip"),
    Case(
        "zip with a folder and a Macintosh's shadow",
        lambda: zipped(
            {
                "all/": "",
                "all/data.csv": people(),
                "__MACOSX/all/._data.csv": "x",
                "all/.DS_Store": "y",
            }
        ),
        unchanged(),
        name="data.zip",
    ),
    Case(
        "zip of a workbook",
        lambda: zipped({"data.xlsx": xlsx({"S": [list(HEAD), *RECORDS_AS_ROWS]})}),
        unchanged(),
        name="data.zip",
    ),
    Case(
        "zip of Parquet", lambda: zipped({"data.parquet": parquet()}), unchanged(), name="data.zip"
    ),
    Case(
        "zip with a path outwards",
        lambda: zipped({"../../data.csv": people()}),
        unchanged(),
        name="data.zip",
    ),
    Case(
        "zip of two files",
        lambda: zipped({"a.csv": people(), "b.csv": people()}),
        Refused("wrong_format", "2"),
        name="data.zip",
    ),
    Case("zip of nothing", lambda: zipped({}), Refused("wrong_format"), name="data.zip"),
    Case(
        "zip of an empty folder",
        lambda: zipped({"all/": ""}),
        Refused("wrong_format"),
        name="data.zip",
    ),
    Case("zip with a password", encrypted, Refused("encrypted"), name="data.zip"),
    Case(
        "zip cut off",
        lambda: zipped({"data.csv": people()})[:-30],
        Refused("corrupt"),
        name="data.zip",
    ),
    Case(
        "zip packed in an unusual way",
        lambda: zipped({"data.csv": people()}, zipfile.ZIP_LZMA),
        unchanged(),
        name="data.zip",
    ),
    Case(
        "zip in zip",
        lambda: zipped({"data.zip": zipped({"data.csv": people()})}),
        Refused("wrong_format"),
        name="data.zip",
    ),
    Case(
        "a web page",
        "<!DOCTYPE html>\n<html><body><p>Log in, please</p></body></html>",
        Refused("wrong_format"),
    ),
    Case(
        "a table of a web page", "<table>\n<tr><td>1</td></tr>\n</table>", Refused("wrong_format")
    ),
    Case(
        "a web page after blanks",
        "\n\n  <HTML lang='en'>\n<head></head></HTML>",
        Refused("wrong_format"),
    ),
    Case(
        "an XML table",
        '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
        Refused("wrong_format"),
        name="data.xls",
    ),
    Case("a PDF", b"%PDF-1.7\n" + bytes(range(256)), Refused("wrong_format")),
    Case("a picture", b"\x89PNG\r\n\x1a\n" + bytes(100), Refused("binary")),
    Case("a photograph", b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(100), Refused("binary")),
    Case("a database", b"SQLite format 3\0" + bytes(100), Refused("unsupported")),
    Case("a pickle", b"\x80\x04\x95\x10\0\0\0\0\0\0\0]\x94.", Refused("unsupported")),
    Case("an array", b"\x93NUMPY\x01\0v\0{'descr': '<f8'}", Refused("unsupported")),
    Case(
        "a Stata file",
        b"<stata_dta><header><release>118</release></header>" + bytes(200),
        Refused("unsupported"),
    ),
    Case("an SPSS file", b"$FL2@(#) SPSS DATA FILE" + bytes(200), Refused("unsupported")),
    Case(
        "a SAS file",
        bytes(12)
        + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c"
        + bytes(200),
        Refused("unsupported"),
    ),
    Case("an R file", b"RDX3\nX\n" + bytes(200), Refused("unsupported")),
    Case(
        "a Matlab file",
        b"MATLAB 5.0 MAT-file, Platform: GLNXA64" + bytes(200),
        Refused("unsupported"),
    ),
    Case("a Feather file", b"ARROW1\0\0" + bytes(200), Refused("unsupported")),
    Case("an xz archive", b"\xfd7zXZ\0" + bytes(100), Refused("unsupported")),
    Case(
        "random bytes",
        lambda: b"".join(
            zlib.crc32(bytes([i % 256, i >> 8])).to_bytes(4, "big") for i in range(999)
        ),
        Refused("binary"),
    ),
    Case("zeros", bytes(5000), Refused("empty_file")),
    Case(
        "a presentation",
        lambda: zipped(
            {"ppt/presentation.xml": "<w/>", "[Content_Types].xml": "<t/>"}, zipfile.ZIP_STORED
        ),
        Refused("wrong_format"),
        name="data.xlsx",
    ),
)
