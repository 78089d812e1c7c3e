#!/bin/sh
# Builds cugantt and runs all its tests. Tests that need a GPU are skipped, and counted as such, where there is none.
set -eu
. "$(dirname "$0")/setup.sh"
install_missing $build_packages libcmocka-dev valgrind python3 python3-venv fonts-droid-fallback
dir=${1:-build-tests}
[ $# -eq 0 ] || shift
python=$(test_python)
build_in "$dir" -Dtests=true -Dwerror=true -Dtest_python="$python" "$@"
status=0
meson test -C "$dir" --no-rebuild --print-errorlogs >"$dir/test-output.txt" 2>&1 || status=$?
grep -vE '^(ninja:|$)' "$dir/test-output.txt" || true
python3 scripts/count_tests.py "$dir"
echo "Logs: $root/$dir/meson-logs/testlog.txt"
exit $status
