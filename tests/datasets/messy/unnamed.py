"""Files without names, quotes that enclose nothing, and names that only look like values."""

from tests.datasets.messy.case import LONG, N_LONG, Case, Loads

SMS = (
    ("ham", 'He said "ok, see u'),
    ("spam", "WIN £100, call 0906 now"),
    ("ham", '"Oh, see u'),
    ("ham", 'I\'m "here" already'),
    ("spam", '"Free" tickets'),
    ("ham", 'Lol, 5" pizza, later? bye"'),
)
NAMES = ("column_1", "column_2")


def messages(delimiter: str, n_rows: int = 24, head: str = "", end: str = "") -> str:
    """Return labelled messages, each with a number so that none comes again."""
    rows = (SMS[i % len(SMS)] for i in range(n_rows))
    return head + "".join(
        f"{label}{delimiter}{text} {i}{end}\n" for i, (label, text) in enumerate(rows)
    )


def read(
    n_rows: int = 24,
    names: tuple[str, str] = NAMES,
    notes: str = "header_guessed format_guessed",
    end: str = "",
) -> Loads:
    first, second = names
    cells = {(0, first): "ham", (n_rows - 1, first): "ham"}
    cells |= {(i, second): f"{SMS[i][1]} {i}{end}" for i in range(len(SMS))}
    return Loads((n_rows, 2), names, {first: "nominal"}, cells, notes)


CASES = (
    Case("messages with open quotes, tabs", messages("\t"), read(), name="sms.txt"),
    Case("messages with open quotes, bars", messages("|"), read()),
    Case("messages with open quotes, semicolons", messages(";"), read()),
    Case("messages with open quotes in UTF-16", messages("\t").encode("utf-16"), read()),
    Case("messages with open quotes in Windows-1252", messages("\t").encode("cp1252"), read()),
    Case(
        "many messages with open quotes",
        lambda: messages("\t", N_LONG, end=LONG).encode(),
        read(N_LONG, end=LONG),
    ),
    Case(
        "messages with open quotes below names",
        messages("\t", head="étiquette\ttexte\n"),
        read(names=("étiquette", "texte"), notes="format_guessed"),
    ),
    Case(
        "many labels without names",
        lambda: "".join(f"{'nein' if i % 3 else 'ja'}\t{LONG} {i}\n" for i in range(N_LONG)),
        Loads(
            (N_LONG, 2), NAMES, {"column_1": "nominal"}, {(0, "column_1"): "ja"}, "header_guessed"
        ),
    ),
    Case(
        "labels alone without a name",
        "yes\nno\nno\nyes\nyes\n",
        Loads(
            (5, 1),
            ("column_1",),
            {"column_1": "nominal"},
            {(0, "column_1"): "yes"},
            "header_guessed",
        ),
    ),
    Case(
        "names of persons and a label without names",
        "Ann,5.5,red\nBob,7.5,blue\nCid,8.5,red\nDan,2.5,blue\n",
        Loads((4, 3), None, {"column_2": "numeric"}, {(0, "column_1"): "Ann"}, "header_guessed"),
    ),
    Case(
        "labels without names, when it is said that they have some",
        messages("\t"),
        Loads((23, 2), ("ham", SMS[0][1] + " 0")),
        options={"header": True},
    ),
    Case(
        "a choice named as its only value",
        "Red,Blue\nRed,\n,Blue\nRed,Blue\n",
        Loads((3, 2), ("Red", "Blue")),
    ),
    Case(
        "a name that is a value too",
        "name,club\nAnn,club\nBob,team\nCid,club\n",
        Loads((3, 2), ("name", "club")),
    ),
    Case(
        "a name above numbers that is a value too",
        "club,x\nclub,1\nteam,2\nclub,4\n",
        Loads((3, 2), ("club", "x"), {"x": "numeric"}),
    ),
    Case(
        "cells of several lines behind tabs",
        'k\tt\na\t"two\nlines"\nb\tx\nc\t"he said ""no"""\n',
        Loads((3, 2), ("k", "t"), {}, {(0, "t"): "two\nlines", (2, "t"): 'he said "no"'}),
    ),
)
