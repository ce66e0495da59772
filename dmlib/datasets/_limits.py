"""How large an upload may be. Each limit is checked before the memory is spent."""

MAX_BYTES = 50 * 2**20
MAX_UNPACKED = 500 * 2**20
MAX_ROWS = 1_000_000
MAX_COLUMNS = 2_000
MAX_CELLS = 20_000_000
