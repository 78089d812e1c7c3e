"""Data flows one way: each directory may include only from the directories named for it. Also: no file grows out of hand."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
ALLOWED = {
    "timeline": {"timeline"},
    "tracer": {"tracer", "timeline/format.h", "timeline/writer.h", "timeline/error.h"},
    "diagnose": {"diagnose", "timeline"},
    "render": {"render", "diagnose", "timeline"},
    "workloads": {"workloads"},
}
# what only some directories may see of the outside
OUTSIDE = {
    "cairo": {"render"},
    "pango": {"render"},
    "png.h": {"render"},
    "cupti": {"tracer"},
    "cuda": {"tracer", "workloads"},
    "jansson": {"cli"},
    "zlib": {"timeline"},
    "sqlite3": {"timeline"},
}
LAYOUT_FREE_OF_CAIRO = re.compile(r"paint|typeset|picture|png_file")
PRINTS_NOTHING = {"timeline", "tracer", "diagnose", "render"}
MADE = {"cli/cause_pages.h"}  # by the build
failures = []
checked = 0

for path in sorted([*ROOT.glob("*/*.[ch]"), *ROOT.glob("timeline/*/*.[ch]"), *ROOT.glob("*/*.cu")]):
    directory = path.relative_to(ROOT).parts[0]
    if directory not in ALLOWED and directory != "cli":
        continue
    checked += 1
    text = path.read_text()
    name = path.relative_to(ROOT)
    for local in re.findall(r'#include "([^"]+)"', text):
        target = local if "/" in local else f"{path.parent.relative_to(ROOT)}/{local}"
        if target not in MADE and not (ROOT / target).exists():
            failures.append(f"{name}: includes {local}, which is not in the tree")
        allowed = ALLOWED.get(directory)
        if allowed is not None and target not in allowed and target.split("/")[0] not in allowed:
            failures.append(f"{name}: may not include {local}")
    for system in re.findall(r"#include <([^>]+)>", text):
        for word, where in OUTSIDE.items():
            if word in system and directory not in where:
                failures.append(f"{name}: may not see {system}")
        if directory == "render" and re.search("cairo|pango|png.h", system) and not LAYOUT_FREE_OF_CAIRO.search(path.name):
            failures.append(f"{name}: layout may not see {system}")
    if directory in PRINTS_NOTHING and re.search(r"(?<![a-z_])(printf|puts|exit)\(", text):
        failures.append(f"{name}: only cli prints or exits")
    if text.count("\n") > 500:
        failures.append(f"{name}: {text.count(chr(10))} lines, more than 500")

if checked < 50:
    failures.append(f"only {checked} files were checked")
print("\n".join(failures) or f"{checked} files")
sys.exit(bool(failures))
