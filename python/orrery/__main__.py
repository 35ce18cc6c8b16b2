# SPDX-License-Identifier: MIT
"""`python3 -m orrery …` runs `orrery …`."""
import os
import sys

from ._core import Error
from ._program import find_program


def main() -> None:
    try:
        program = str(find_program())
    except Error as error:
        sys.exit(f"orrery: {error}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
