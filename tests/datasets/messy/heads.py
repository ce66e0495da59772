"""Rows above the data: remarks with delimiters, several rows of names, questions, years."""

from tests.datasets.messy.case import Case, Loads
from tests.datasets.messy.office import xlsx

TOWNS = "a,b,c\n1,2,x\n3,4,y\n5,6,z\n7,9,x\n"
PLAIN = Loads(
    (4, 3),
    ("a", "b", "c"),
    {"a": "numeric", "b": "numeric"},
    {(0, "a"): 1, (3, "b"): 9},
    "preamble",
)
PIVOT = "Bern,1,2,3,4\nChur,5,6,7,9\nBasel,2,3,4,5\n"
JOINED = ("region", "2023 sales", "2023 cost", "2024 sales", "2024 cost")
PIVOTED = Loads(
    (3, 5),
    JOINED,
    {"2023 sales": "numeric"},
    {(0, "2023 sales"): 1, (2, "2024 cost"): 5},
    "names_joined",
)
ANSWERS = "2024-01-31,33,red\n2024-02-01,44,blue\n2024-02-02,22,red\n"
QUESTIONS = 'Start Date,"How old are you, in years?",What is your favourite colour?\n'
SURVEY = "StartDate,Q1,Q2\n" + QUESTIONS
IMPORT = '"{""ImportId"":""startDate""}","{""ImportId"":""QID1""}","{""ImportId"":""QID2""}"\n'
ASKED = Loads(
    (3, 3),
    ("StartDate", "Q1", "Q2"),
    {"StartDate": "date", "Q1": "numeric"},
    {(0, "Q1"): 33},
    "questions dates",
)
MONKEY = (
    "Respondent ID,Which colours do you like?,,,How old are you?\n,Red,Blue,Green,Open-Ended"
    " Response\n1,Red,,,33\n2,,Blue,Green,44\n3,Red,Blue,,22\n"
)
COLOURS = "Which colours do you like? "


def named(*names: str, notes: str = "", n_rows: int = 3) -> Loads:
    return Loads((n_rows, len(names)), names, dict.fromkeys(names, "numeric"), {}, notes)


CASES = (
    Case("two lines with commas above", "Report, 2024, final\nAuthor, Ann, May\n" + TOWNS, PLAIN),
    Case(
        "a day and a place above", "Exported,2024-01-31,by Ann\nCompany,ACME,Bern\n" + TOWNS, PLAIN
    ),
    Case(
        "a number above, in a row of words",
        "Company,ACME,Bern\nExported,2024,by Ann\n" + TOWNS,
        PLAIN,
    ),
    Case(
        "two short lines above, filled up",
        "Report;Q1;2024;;\nUnit;Sales;;;\nname;x;y;z;w\na;1;2;3;4\nb;2;3;4;5\nc;5;6;7;9\n",
        Loads((3, 5), ("name", "x", "y", "z", "w"), {"w": "numeric"}, {(2, "w"): 9}, "preamble"),
    ),
    Case(
        "lines above and units below",
        "By,Ann,May\nIn,Bern,CH\n" + TOWNS.replace("c\n", "c\ncm,kg,\n", 1),
        PLAIN,
    ),
    Case(
        "a sheet with lines above",
        lambda: xlsx(
            {
                "S": [
                    ["Report", "Q1", "Bern"],
                    ["By", "Ann", "Ott"],
                    ["a", "b", "c"],
                    [1, 2, "x"],
                    [3, 5, "y"],
                    [4, 4, "z"],
                    [7, 5, "x"],
                ]
            }
        ),
        Loads((4, 3), ("a", "b", "c"), {"a": "numeric"}, {(3, "a"): 7}, "preamble"),
        name="data.xlsx",
    ),
    Case(
        "lines above, when it is said that there are none",
        "Report, Q1, final\nAuthor, Ann, May\n" + TOWNS,
        Loads((6, 3), ("Report", "Q1", "final")),
        options={"skip": 0},
    ),
    Case(
        "words that are missing above numbers",
        "a,b\nNA,?\n1,2\n3,5\n",
        Loads((3, 2), ("a", "b"), {"a": "numeric"}),
    ),
    Case(
        "years above names", "region,2023,2023,2024,2024\n,sales,cost,sales,cost\n" + PIVOT, PIVOTED
    ),
    Case(
        "merged years above names", ",2023,,2024,\nregion,sales,cost,sales,cost\n" + PIVOT, PIVOTED
    ),
    Case(
        "names in two rows, when it is said",
        "size,size,group\ncm,kg,\n180,80,A\n175,70,B\n",
        Loads((2, 3), ("size cm", "size kg", "group"), {"size kg": "numeric"}, {}, "names_joined"),
        options={"header": 2},
    ),
    Case(
        "names in one row, when it is said",
        "region,2023,2023,2024,2024\n,sales,cost,sales,cost\n" + PIVOT,
        Loads((4, 5), ("region", "2023", "2023_2", "2024", "2024_2")),
        options={"header": True, "below_header": 0},
    ),
    Case(
        "a pivot table of pandas",
        ",sales,sales\nyear,2023,2024\ntown,,\nBern,1,2\nChur,3,4\nBasel,4,4\n",
        Loads(
            (3, 3),
            ("town", "sales 2023", "sales 2024"),
            {"sales 2024": "numeric"},
            {(0, "town"): "Bern"},
        ),
    ),
    Case(
        "a pivot table of a spreadsheet",
        "Sum of x,Column Labels,,\nRow Labels,A,B,Grand"
        " Total\nBern,1,2,3\nChur,4,5,9\nBasel,3,3,6\n",
        Loads((3, 4), ("Row Labels", "A", "B", "Grand Total"), {"A": "numeric"}, {}, "preamble"),
    ),
    Case("questions below the names", SURVEY + ANSWERS, ASKED),
    Case("questions and identifiers below the names", SURVEY + IMPORT + ANSWERS, ASKED),
    Case("identifiers alone below the names", "StartDate,Q1,Q2\n" + IMPORT + ANSWERS, ASKED),
    Case(
        "questions that are kept, when it is said",
        SURVEY + ANSWERS,
        Loads((4, 3), ("StartDate", "Q1", "Q2"), {}, {(0, "Q2"): "What is your favourite colour?"}),
        options={"below_header": 0},
    ),
    Case(
        "answers below a question that spans columns",
        MONKEY,
        Loads(
            (3, 5),
            (
                "Respondent ID",
                COLOURS + "Red",
                COLOURS + "Blue",
                COLOURS + "Green",
                "How old are you?",
            ),
            {"How old are you?": "numeric"},
            {(0, COLOURS + "Red"): "Red", (0, COLOURS + "Blue"): None, (2, "How old are you?"): 22},
            "names_joined",
        ),
    ),
    Case(
        "three years as names",
        "2019;2020;2021\n1;2;3\n4;5;7\n8;9;1\n",
        named("2019", "2020", "2021"),
    ),
    Case(
        "two years as names",
        "2019;2024\n1;2\n4;5\n8;9\n",
        named("2019", "2024", notes="header_guessed"),
    ),
    Case("years as names, the last first", "2021;2020\n1;2\n4;5\n8;9\n", named("2021", "2020")),
    Case(
        "years that are values", "1950,2010\n1940,1999\n1930,2001\n", named("column_1", "column_2")
    ),
    Case(
        "years as values, when it is said",
        "2019;2024\n1;2\n4;5\n8;9\n",
        named("column_1", "column_2", n_rows=4),
        options={"header": False},
    ),
    Case(
        "numbers that name the rows",
        "id,x\n" + "".join(f"{1000 + i * 37 % 50},{i % 7}\n" for i in range(50)),
        Loads((50, 2), None, {"id": "id"}, {}, "id_column"),
    ),
    Case(
        "numbers that name the rows, when it is said that they do not",
        "id,x\n" + "".join(f"{1000 + i * 37 % 50},{i % 7}\n" for i in range(50)),
        Loads((50, 2), None, {"id": "numeric"}),
        options={"kinds": {"id": "numeric"}},
    ),
    Case(
        "different numbers that name nothing",
        "humid,x\n" + "".join(f"{1000 + i * 37 % 50},{i % 7}\n" for i in range(50)),
        Loads((50, 2), None, {"humid": "numeric"}),
    ),
    Case(
        "identifiers in hexadecimal",
        "uuid,x\n"
        + "".join(f"{i * 2654435761 % 2**32:08x}-ab12-{i:04x},{i % 7}\n" for i in range(60)),
        Loads((60, 2), None, {"uuid": "id"}, {}, "id_column"),
    ),
)
