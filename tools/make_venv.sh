#!/bin/sh
# Make a virtual environment: make_venv.sh DIR [PYTHON]
# On Debian and Ubuntu the venv module is a package of its own; it is installed where that is possible.
set -eu
dir=$1
python=${2:-python3}

command -v "$python" >/dev/null || {
    echo "arpad: $python not found: install Python 3.11 or newer" >&2
    exit 1
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "arpad: $("$python" --version) is too old; 3.11 is needed (make PYTHON=python3.12 ...)" >&2
    exit 1
}
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    sh "$(dirname "$0")/apt_install.sh" "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
fi
[ -x "$dir/bin/python" ] || "$python" -m venv "$dir"
