"""Format of a file by its bytes, whatever its name; archives of one file are unpacked."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass

from dmlib.datasets.reading.options import Limits
from dmlib.datasets.table import Note, TableError

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    IndexError,
)
"""What Python's reader of zip archives raises where one is damaged."""

ADVICE = "Save the table as CSV or as a workbook (.xlsx, .ods)."
_ENDINGS = {
    "text": (".csv", ".tsv", ".txt", ".tab", ".dat", ".data", ".psv", ".svm", ".libsvm"),
    "workbook": (".xlsx", ".xlsm", ".xls", ".ods", ".xlsb"),
    "parquet": (".parquet", ".pq"),
    "json": (".json", ".jsonl", ".ndjson"),
    "arff": (".arff",),
}
ENDINGS = (*(ending for endings in _ENDINGS.values() for ending in endings), ".gz", ".zip")
"""How the names of files end that can be read."""

_TITLES = {
    "workbook": "a workbook",
    "parquet": "a Parquet file",
    "json": "JSON",
    "arff": "an ARFF file",
    "text": "text",
}
_REFUSED = {
    b"SQLite format 3\0": ("unsupported", "a SQLite database"),
    b"%PDF": ("wrong_format", "a PDF document"),
    b"\x89PNG": ("binary", "a picture"),
    b"\xff\xd8\xff": ("binary", "a picture"),
    b"GIF8": ("binary", "a picture"),
    b"RIFF": ("binary", "sound or a picture"),
    b"PK\x05\x06": ("wrong_format", "an empty zip archive"),
    b"BZh": ("unsupported", "a bzip2 archive"),
    b"\xfd7zXZ": ("unsupported", "an xz archive"),
    b"7z\xbc\xaf": ("unsupported", "a 7-Zip archive"),
    b"Rar!": ("unsupported", "a RAR archive"),
    b"\x28\xb5\x2f\xfd": ("unsupported", "a zstd archive"),
    b"ARROW1": ("unsupported", "an Arrow file"),
    b"\x89HDF": ("unsupported", "an HDF5 file"),
    b"\x80\x04\x95": ("unsupported", "a Python pickle, which could run code"),
    b"\x80\x05\x95": ("unsupported", "a Python pickle, which could run code"),
    b"\x93NUMPY": ("unsupported", "a NumPy array"),
    b"<stata_dta>": ("unsupported", "a Stata file"),
    b"$FL2": ("unsupported", "an SPSS file"),
    b"\xc2\xea\x81\x60\xb3\x14\x11\xcf": ("unsupported", "a SAS file"),
    b"RDX2\n": ("unsupported", "an R file"),
    b"RDX3\n": ("unsupported", "an R file"),
    b"MATLAB 5.0 MAT-file": ("unsupported", "a Matlab file"),
    b"FEA1": ("unsupported", "a Feather file"),
    b"Obj\x01": ("unsupported", "an Avro file"),
    b"\x7fELF": ("binary", "a program"),
    b"MZ\x90": ("binary", "a program"),
    b"<?xml": ("wrong_format", "an XML document"),
    b"{\\rtf": ("wrong_format", "an RTF document"),
}
# A name of a column may look like a tag: then a delimiter follows, or the text of a script stands
# on the same line.
_PAGE = re.compile(
    rb"<(!doctype\s+html|html|head|body|table)\b[^>]*(>(?!['\"]?[,;\t|])|$)|<script\b[^>]*>\s*\n",
    re.IGNORECASE,
)
_JSON = re.compile(rb"\[\s*[\[{]|\{\s*\"|\[\s*\]|\{\s*\}")
_ARFF = re.compile(rb"^[ \t]*@relation\b", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Content:
    """A file whose format is known.

    Attributes
    ----------
    data : bytes
        What the file holds, unpacked.
    format : {"text", "workbook", "parquet", "json", "arff"}
        The format of the data.
    notes : tuple of Note
        What the name did not say.
    """

    data: bytes
    format: str
    notes: tuple[Note, ...]


def identify(data: bytes, name: str, limits: Limits) -> Content:
    """Return the content of a file and its format.

    Raises
    ------
    TableError
        If it is empty, too large, damaged, or of a format that holds no table.
    """
    _check_bytes(len(data), limits)
    notes = []
    packing = _packing(data)
    if packing:
        data = _gunzipped(data, limits) if packing == "gzip" else _unzipped(data, limits)
        if not name.lower().endswith((".gz", ".zip")):
            notes.append(
                Note(
                    "format_guessed",
                    f"The file is a {packing} archive of one file, which was unpacked.",
                )
            )
        name = re.sub(r"\.(gz|zip)$", "", name, flags=re.IGNORECASE)
    form = _format(data)
    ending = re.search(r"\.[a-z]+$", name.lower())
    if (
        not packing
        and ending
        and ending[0] not in _ENDINGS[form]
        and (form != "text" or _is_ending(ending[0]))
    ):
        notes.append(
            Note("format_guessed", f"The file is {_TITLES[form]}, whatever its name says.")
        )
    return Content(data, form, tuple(notes))


def _is_ending(ending: str) -> bool:
    return any(ending in endings for endings in _ENDINGS.values())


def _check_bytes(size: int, limits: Limits) -> None:
    if size > limits.n_bytes:
        raise TableError(
            "too_large",
            f"The file has {size / 2**20:.0f} MB; the limit is {limits.n_bytes / 2**20:.0f} MB. "
            "Keep fewer rows or columns.",
        )


def _format(data: bytes) -> str:
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n\0")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = data[2:4096].replace(b"\0", b"").lstrip()
    if not start and not data.strip(b"\xef\xbb\xbf \t\r\n\0"):
        raise TableError("empty_file", "The file is empty. Choose a file with a table in it.")
    for magic, (reason, words) in _REFUSED.items():
        if start[: len(magic)].lower() == magic.lower():
            raise TableError(reason, f"The file is {words}, not a table. {ADVICE}")
    if _PAGE.match(start):
        raise TableError("wrong_format", f"The file is a web page, not a table. {ADVICE}")
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
        return "workbook"
    if data.startswith(b"PAR1"):
        return "parquet"
    if _is_arff(data[:65_536].removeprefix(b"\xef\xbb\xbf")):
        return "arff"
    return "json" if _JSON.match(start) else "text"


def _is_arff(start: bytes) -> bool:
    """Return whether nothing but comments stands above the name of a relation."""
    relation = _ARFF.search(start)
    above = [line.strip() for line in start[: relation.start()].splitlines()] if relation else []
    return relation is not None and all(line.startswith(b"%") for line in above if line)


def _packing(data: bytes) -> str:
    """Return "gzip" or "zip" for an archive that is no workbook; empty for other data."""
    if data.startswith(b"\x1f\x8b"):
        return "gzip"
    if not data.startswith(b"PK\x03\x04"):
        return ""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
    except DAMAGED:
        return ""
    return "" if names & {"xl/workbook.xml", "content.xml", "xl/workbook.bin"} else "zip"


def _gunzipped(data: bytes, limits: Limits) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as archive:
            unpacked = archive.read(limits.n_unpacked + 1)
    except (OSError, EOFError, zlib.error):
        raise TableError(
            "corrupt", "The gzip archive is damaged. Pack the file again, or send it unpacked."
        ) from None
    return _not_a_bomb(unpacked, limits)


def _unzipped(data: bytes, limits: Limits) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [
                member
                for member in archive.infolist()
                if not member.is_dir() and _is_of_the_archive(member.filename)
            ]
            if len(members) != 1:
                raise TableError(
                    "wrong_format",
                    f"The zip archive holds {len(members)} files, not one. Unpack it and choose"
                    " one.",
                )
            if members[0].flag_bits & 1:
                raise TableError(
                    "encrypted", "The zip archive is protected by a password. Unpack it first."
                )
            with archive.open(members[0]) as stream:
                return _not_a_bomb(stream.read(limits.n_unpacked + 1), limits)
    except TableError:
        raise
    except DAMAGED:
        raise TableError(
            "corrupt", "The zip archive is damaged. Pack the file again, or send it unpacked."
        ) from None


def _is_of_the_archive(name: str) -> bool:
    """Return whether a member is not one that macOS adds."""
    return not name.startswith("__MACOSX/") and not name.rsplit("/", maxsplit=1)[-1].startswith(".")


def _not_a_bomb(unpacked: bytes, limits: Limits) -> bytes:
    if len(unpacked) > limits.n_unpacked:
        raise TableError(
            "bomb",
            f"The archive unpacks to more than {limits.n_unpacked >> 20} MB. Keep fewer rows.",
        )
    if _packing(unpacked):
        raise TableError(
            "wrong_format", "The file is an archive within an archive. Unpack it first."
        )
    return unpacked
