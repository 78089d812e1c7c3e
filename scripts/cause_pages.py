"""cause_pages.py DIAGNOSIS_MD OUT: the sections on causes as a C table, so that `explain --id` says what the page says."""
import re
import sys

PAGE = """/* Made from docs/diagnosis.md by scripts/cause_pages.py. One row a paragraph. */
static const struct {{
    const char *id, *text;
}} paragraphs[] = {{
{rows}
}};
"""


def plain(markdown):
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(markdown.split()))
    return text.replace("*proven*", "proven").replace("*probable*", "probable").replace("*possible*", "possible").replace("`", "")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


causes = open(sys.argv[1], encoding="utf-8").read().split("\n## The causes\n")[1].split("\n## ")[0]
rows = []
for section in causes.split("\n### ")[1:]:
    name, _, body = section.partition("\n")
    if re.fullmatch(r"[a-z-]+", name):
        paragraphs = [plain(text) for text in body.split("\n\n") if text.strip() and not text.lstrip().startswith("![")]
        rows += [f"    {{{quoted(name)}, {quoted(text)}}}," for text in paragraphs]
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write(PAGE.format(rows="\n".join(rows)))
