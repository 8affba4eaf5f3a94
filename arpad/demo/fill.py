"""`python -m arpad.demo.fill FOLDER`: the demonstration in a data folder, and a login for each role.

A folder that is filled keeps its data; its accounts get new passwords. `make run` does this, then
`arpad serve --demo`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from arpad.web.serve import DEMO, prepare


def main(folder: str) -> None:
    """Fill, or give new passwords; print them."""
    data = Path(folder).absolute()
    prepare(data)
    (data / DEMO).touch()
    from arpad.demo.site import fill, logins
    from arpad.store.models import Organisation

    found = logins() if Organisation.objects.exists() else fill()
    print("The demonstration: invented people and games. A login for each role:")
    for login in found:
        print(f"  {login.role:<8} {login.name:<14} {login.password}")


if __name__ == "__main__":
    main(sys.argv[1])
