"""Words in the rows that learning platforms write below the names of a grade export."""

import re

GRADES = "points possible and remarks"
"""What such rows hold."""

_POINTS = r"(?:points?|scores?|marks?|grades?|punkte|punktzahl|note|notes)"
_MAXIMUM = r"(?:max(?:imum|imal|imale|\.)?|erreichbare|m[öo]gliche)"

POINTS_POSSIBLE = re.compile(
    rf"{_MAXIMUM}:? {_POINTS}|{_POINTS} (?:max(?:imum|\.)?|possibles?|m[öo]glich|erreichbar)"
    r"|max(?:imal)?punkt(?:e|zahl)|h[öo]chstpunktzahl|bar[eè]me|note maximale|puntos"
    r" posibles|pontos poss[ií]veis"
    r"|punti possibili|mogelijke punten|puntuaci[oó]n m[aá]xima",
    re.IGNORECASE,
)
"""In front of the greatest number of points of each task; Canvas writes it in the language of its
user."""

GRADE_LABEL = re.compile(
    r"(?:due |end )?date|points|maximum|out of|weight(?:ing)?|category|type|class"
    r" average|datum|abgabe(?:datum)?"
    r"|gewicht(?:ung)?|punkte|kategorie|coefficient|coeff?\.?|date limite|ponderaci[oó]n|fecha",
    re.IGNORECASE,
)
"""In front of a row on all tasks, in a column that is not the first."""

GRADE_REMARK = re.compile(
    r"\(?(?:read[ -]only|schreibgesch[üu]tzt|nur lesen|lecture seule|solo lectura|sola"
    r" lettura|somente leitura"
    r"|alleen-lezen)\)?|manual posting|muted|manuelle[sr]? .{1,30}|stummgeschaltet|publication"
    r" manuelle",
    re.IGNORECASE,
)
"""On a column that cannot be imported again, or whose grades are hidden."""

STATISTIC = re.compile(r"(?:min|mean|average|avg|median|mittel|durchschnitt)", re.IGNORECASE)
"""In front of other rows of a table of statistics, in which the greatest number is a row as
well."""
