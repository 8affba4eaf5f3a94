"""`python -m arpad` is the same program as `arpad`."""

from arpad.cli import main

if __name__ == "__main__":
    main()
