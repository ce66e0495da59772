"""A file that was never meant for a program: what is found out about it, and what is changed."""

from dmlib.datasets.reading import read_table

FILE = """Laboratory 3; spring
sample;mass;colour;measured on
A1;1.204,5;red;03.02.2024
A2;987,0;n/a;17.02.2024
A3;?;blue;28.02.2024
A4;1.011,25;red;01.03.2024
"""

table = read_table(FILE.encode("cp1252"), "spring.csv")
print(table.frame)
for note in table.notes:
    print("-", note.text)
print(table.repairs)
