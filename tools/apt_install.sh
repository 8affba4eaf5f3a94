#!/bin/sh
# Install Debian packages, as root or with sudo: apt_install.sh PACKAGE...
set -eu
if ! command -v apt-get >/dev/null; then
    echo "arpad: this machine has no apt-get: install what corresponds to: $*" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then root=""; else root="sudo"; fi
if [ -n "$root" ] && ! command -v sudo >/dev/null; then
    echo "arpad: neither root nor sudo here: ask for the installation of: $*" >&2
    exit 1
fi
echo "arpad: installing $*" >&2
$root apt-get update -q >&2
DEBIAN_FRONTEND=noninteractive $root apt-get install -q -y --no-install-recommends "$@" >&2
