#!/bin/sh
# Make a virtual environment: make_venv.sh DIR [PYTHON]
# On Debian and Ubuntu the venv module is a package of its own; it is installed where that is possible.
set -eu
dir=$1
python=${2:-python3}

say() { echo "arpad: $*" >&2; }

command -v "$python" >/dev/null || { say "$python not found: install Python 3.11 or newer"; exit 1; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    say "$("$python" --version) is too old: Arpad needs Python 3.11 or newer (make PYTHON=python3.12 ...)"
    exit 1
}

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ "$(id -u)" = 0 ]; then root=""; else root="sudo"; fi
    if command -v apt-get >/dev/null && { [ -z "$root" ] || command -v sudo >/dev/null; }; then
        say "installing python$version-venv"
        $root apt-get update -q
        $root apt-get install -q -y --no-install-recommends "python$version-venv" >&2
    else
        say "Python's venv and ensurepip are missing: install python$version-venv (Debian, Ubuntu) and try again"
        exit 1
    fi
fi

[ -x "$dir/bin/python" ] || "$python" -m venv "$dir"
