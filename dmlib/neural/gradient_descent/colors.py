"""The colour of each optimiser, the same in all pictures."""

COLORS = ("gradient", "momentum", "adam", "nesterov", "rmsprop", "adagrad", "newton", "coordinate")
CODES = {name: code for code, name in enumerate(COLORS)}
