"""count_tests.py BUILD...: sums the results of meson test over build directories, as 'N passed, N failed, N skipped'."""
import json
import sys

passed = failed = skipped = 0
for build in sys.argv[1:]:
    with open(f"{build}/meson-logs/testlog.json") as log:
        for line in log:
            result = json.loads(line)["result"]
            if result == "OK":
                passed += 1
            elif result == "SKIP":
                skipped += 1
            else:
                failed += 1
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(passed + failed == 0)
