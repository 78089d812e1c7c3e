"""check_valgrind.py CUGANTT SAMPLE...: valgrind finds nothing in explain and render."""
import pathlib
import subprocess
import sys
import tempfile

# what libraries keep until the program ends is still reachable, so only lost memory counts
VALGRIND = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite",
            "--errors-for-leak-kinds=definite", f"--suppressions={pathlib.Path(__file__).with_name('valgrind.supp')}"]
cugantt, samples = sys.argv[1], sys.argv[2:]
status = 0
for sample in samples:
    with tempfile.TemporaryDirectory() as directory:
        commands = [["explain", sample], ["info", "--json", sample], ["render", sample, "-o", f"{directory}/a.png"]]
        for command in commands:
            result = subprocess.run([*VALGRIND, cugantt, *command], capture_output=True, text=True)
            if result.returncode != 0:
                print(" ".join(command), result.stderr, sep="\n")
                status = 1
sys.exit(status)
