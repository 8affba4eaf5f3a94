#!/bin/sh
# Write requirements/*.txt from pyproject.toml: every package with its version and the hashes of its
# files, for every platform, without the address it came from (docs/adr/0005).
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-uv}

lock() {
    out=requirements/$1.txt
    shift
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-annotate \
        --custom-compile-command "make lock" --output-file "$out" "$@" >/dev/null
    echo "$out: $(grep -c '^[a-z0-9].*==' "$out") packages"
}

lock run pyproject.toml "$@"
lock dev pyproject.toml --group dev "$@"
lock docs --group docs "$@"
lock bench pyproject.toml --group bench --group build "$@"
lock lock --group lock "$@"
