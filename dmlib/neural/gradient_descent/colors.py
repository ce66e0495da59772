"""The colour of each optimiser, the same in all pictures."""

COLORS = (
    "gradient",
    "momentum",
    "adam",
    "nesterov",
    "rmsprop",
    "adagrad",
    "newton",
)  # those of few walkers apart
CODES = {name: code for code, name in enumerate(COLORS)}
