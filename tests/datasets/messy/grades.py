"""Exports of grades, with rows below the names that are no students."""

from tests.datasets.messy.case import LONG, N_LONG, Case, Loads

NAMES = ("Student", "ID", "Essay (1)", "Quiz (2)", "Final Score")
KINDS = {"Essay (1)": "numeric", "Quiz (2)": "numeric", "Final Score": "numeric"}
HEAD = ",".join(NAMES) + "\n"


def students(n_rows: int = 12, end: str = "") -> str:
    return "".join(
        f'"Dent{i}, Stu{i}{end}",{5000 + i * 7 % 13},{10 + i / 2},{i % 9},{60 + i % 30}\n'
        for i in range(n_rows)
    )


def export(
    *rows: str, delimiter: str = ",", head: str = HEAD, n_rows: int = 12, end: str = ""
) -> str:
    """Return an export with rows below the names."""
    text = head + "".join(row + "\n" for row in rows) + students(n_rows, end)
    return text if delimiter == "," else text.replace(", ", " ").replace(",", delimiter)


def read(first: str = "Dent0, Stu0", names: tuple[str, ...] = NAMES, n_rows: int = 12) -> Loads:
    kinds = dict.fromkeys(names[2:], "numeric")
    cells = {(0, names[0]): first, (0, names[2]): 10, (1, names[4]): 61}
    return Loads((n_rows, 5), names, kinds, cells, "units")


POINTS = "    Points Possible,,20.00,10.00,(read only)"
FRENCH = ("Étudiant", "ID", "Essai", "Quiz", "Note finale")

CASES = (
    Case("points possible", export(POINTS), read()),
    Case("points possible below remarks", export(",,Manual Posting,,(read only)", POINTS), read()),
    Case(
        "points possible between semicolons",
        export(",,Muted,,", POINTS, delimiter=";"),
        read("Dent0 Stu0"),
    ),
    Case(
        "points possible in French",
        export(
            "Points possibles,,20,10,(lecture seule)", delimiter="\t", head=",".join(FRENCH) + "\n"
        ).encode("utf-16"),
        read("Dent0 Stu0", FRENCH),
    ),
    Case(
        "points possible in German",
        export("Mögliche Punkte,,20,10,(schreibgeschützt)").encode("cp1252"),
        read(),
    ),
    Case(
        "maximum points and weights", export("Max. points,,20,10,100", "Weight,,0.5,0.5,1"), read()
    ),
    Case(
        "points possible above many students",
        lambda: export(POINTS, n_rows=N_LONG, end=LONG).encode(),
        read(f"Dent0, Stu0{LONG}", n_rows=N_LONG),
    ),
    Case(
        "dates and points below the names of a class",
        "Last Name,First Name,HW1,HW2\n,Date,2024-01-01,2024-02-01\n,Points,10,20\n"
        + "".join(f"L{i},F{i},{i % 10},{i * 3 % 20}\n" for i in range(12)),
        Loads(
            (12, 4),
            None,
            {"HW1": "numeric", "HW2": "numeric"},
            {(0, "Last Name"): "L0", (1, "HW2"): 3},
            "units",
        ),
    ),
    Case(
        "an overall average below the students",
        "First name,Surname,Quiz: 1,Course total\n"
        + "".join(f"F{i},L{i},{i % 10 or '-'},{i * 3 % 20}\n" for i in range(12))
        + "Overall average,,5.5,7\n",
        Loads(
            (12, 4),
            None,
            {"Quiz: 1": "numeric", "Course total": "numeric"},
            {(11, "Surname"): "L11"},
            "footer",
        ),
    ),
    Case(
        "points possible, when it is said that nothing stands below the names",
        export(POINTS),
        Loads((13, 5), NAMES, {}, {(0, "Student"): "Points Possible"}),
        options={"below_header": 0},
    ),
    Case(
        "a greatest score among other statistics",
        "measure,x,y\nMax score,20,10\nMin score,1,2\nMean score,7,5\n",
        Loads((3, 3), ("measure", "x", "y"), {}, {(0, "measure"): "Max score"}),
    ),
    Case(
        "a first row named max",
        "name,x,y\nMax,20,10\nMoritz,1,2\nAnn,7,5\n",
        Loads((3, 3), ("name", "x", "y")),
    ),
    Case(
        "usernames that start with #",
        "OrgId,Username,Quiz,End\n" + "".join(f"#{i + 100},#u{i},{i % 7},#\n" for i in range(12)),
        Loads(
            (12, 4),
            ("OrgId", "Username", "Quiz", "End"),
            {"Quiz": "numeric"},
            {(11, "OrgId"): "#111"},
        ),
    ),
)
