# SPDX-License-Identifier: MIT
"""Compares the documents with the program: check_docs.py ORRERY SOURCE_FOLDER [--write]. Exits with 1 after printing
differences; --write regenerates docs/guide/menus.txt first."""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
docs = root / "docs"
# The pages that describe the program to its users; together they must name every key, id and option.
guide_pages = sorted((docs / "guide").glob("*.md")) + [docs / f"{page}.md" for page in ("laboratory", "maps", "serve")]
guide = "\n".join(page.read_text() for page in guide_pages)
wrong = []


def said(*arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def rows(table_head):
    """The rows of the guide's table with this head."""
    lines = guide.split(table_head + "\n", 1)[1].splitlines()[1:]
    count = next(i for i, line in enumerate(lines + [""]) if not line.startswith("|"))
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[:count]]


def compare(what, in_guide, in_source):
    if not in_source:
        wrong.append(f"{what}: found none in the source")
    for row in sorted(set(in_guide) ^ set(in_source)):
        wrong.append(f"{what}: {row} is only in {'the guide' if row in in_guide else 'the source'}")
    if in_guide != in_source:
        wrong.append(f"{what}: the tables of the guide and the source differ")


# Keys and mouse, with the same wording and order as the window's help.
commands = re.findall(r"\bk\w+", (root / "app/window/commands.hpp").read_text().split("enum class Command")[1].split("};")[0])
shown = (root / "app/window/layout/help.cpp").read_text()
text = r'"((?:[^"\\]|\\.)+)",\s*"((?:[^"\\]|\\.)+)"'
line = r"\b(?:line|alternative)\(Command::(k\w+),[^\"]*" + text
sources = sorted((root / "app/window").rglob("*.cpp"))
bindings = [found for source in sources for found in re.findall(line, source.read_text())]
bindings.sort(key=lambda found: commands.index(found[0]))
mouse = shown.split("kMouse =")[1].split("});")[0]
compare("keys", rows("| key | does |"), [(key, does) for _, key, does in bindings])
compare("mouse", rows("| mouse | does |"), re.findall(text, mouse))

# Menus that do not depend on the build, and the keys of scene files: a file that is generated and compared.
menus = json.loads(said("list", "--json"))
listing = "Menus of the program and the keys of scene files; written by tests/docs/check_docs.py --write.\n"
for menu in ("presets", "scenes", "maps", "study_maps", "simplex3_maps", "roots", "integrators", "color_maps"):
    listing += f"\n== {menu} ==\n\n"
    listing += "".join(f"{entry['id']}: {entry['label']}. {entry['doc']}\n" for entry in menus[menu])
listing += "\n== keys of scene files ==\n"
section = None
for key in menus["scene_keys"]:
    if key["section"] != section:
        section = key["section"]
        listing += f"\n[{section}]\n"
    takes = "a preset" if key["id"] == "preset" else key["label"]
    listing += f"{key['id']} ({takes}): {key['doc']}\n"
list_file = docs / "guide/menus.txt"
if "--write" in sys.argv:
    list_file.write_text(listing)
elif list_file.read_text() != listing:
    wrong.append(f"{list_file.relative_to(root)} is out of date: run {pathlib.Path(__file__).name} ORRERY SOURCE_FOLDER --write")

# Every id of every menu, every option of every command.
for menu, entries in menus.items():
    for entry in entries:
        described = menu in ("scene_keys", "settings") and f'\n{entry["id"]} (' in listing
        if f'`{entry["id"]}`' not in guide and not described:
            wrong.append(f'the guide does not name `{entry["id"]}` of {menu}')
listed = said("--help").split("Commands:")[1].split("Arguments:")[0]
commands = re.findall(r"^  ([a-z]+) {2,}[A-Z]", listed, re.MULTILINE)
readme = (root / "README.md").read_text()
for command in commands:
    if f"`orrery {command}" not in readme:
        wrong.append(f"README.md does not name `orrery {command}`")
for command in [[]] + [[c] for c in commands]:
    for option in re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+)", said(*command, "--help-all"), re.MULTILINE):
        if option not in ("--help", "--help-all", "--version") and not re.search(rf"{option}\b(?!-)", guide):
            wrong.append(f"the guide does not name {option} of `{' '.join(['orrery', *command])}`")
names = re.search(r"`list --json` \| an object of arrays: `([^`]*)`", guide)
if not names or names[1].split() != list(menus):
    wrong.append("reference.md, For scripts: the arrays of `list --json` are " + " ".join(menus))
head = subprocess.run([program, "bench", "--engines", "reference", "--bodies", "2", "--json"], check=True,
                      capture_output=True, text=True).stdout
measuring = (docs / "measuring.md").read_text()
for column in json.loads(head)[0]:
    if f"`{column}`" not in measuring:
        wrong.append(f"measuring.md does not name the column `{column}` of bench")


def anchors(page):
    """The anchors of a page, as GitHub names them."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    found = set(re.findall(r'<a id="([^"]+)">', text))
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        found.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return found


# Links and anchors are valid, and quoted code exists.
pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted(docs.rglob("*.md")), *sorted((root / "bench").rglob("*.md"))]
for page in pages:
    prose = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)]+)\)", prose):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        linked = page.parent / path if path else page
        if not linked.exists():
            wrong.append(f"{page.relative_to(root)}: {target} does not exist")
        elif anchor and linked.suffix == ".md" and anchor not in anchors(linked):
            wrong.append(f"{page.relative_to(root)}: {target} has no such anchor")
sources = " ".join(" ".join(p.read_text().split()) for folder in ("core", "app")
                   for p in sorted((root / folder).rglob("*.[ch]pp")))
for quoted in re.findall(r"```cpp\n(.*?)```", (docs / "adding.md").read_text(), re.DOTALL):
    if " ".join(quoted.split()) not in sources:
        wrong.append(f"adding.md quotes code that is not in the sources: {quoted}")

# Test filters select a test: each part of a filter matches a case, with or without the prefix of its parameters.
cases = []
for source in (root / "tests").rglob("*.cpp"):
    for kind, suite, case in re.findall(r"^(TYPED_TEST\w*|TEST\w*)\(\s*(\w+),\s*(\w+)", source.read_text(), re.MULTILINE):
        cases.append(f"{suite}.{case}" if kind in ("TEST", "TEST_F") else f"Prefix/{suite}.{case}/0")
for page in [*sorted(docs.rglob("*.md")), *sorted((root / "tests/tools").glob("*.sh"))]:
    for selected in re.findall(r"gtest_filter='([^']+)'", page.read_text()):
        for part in selected.split(":"):
            if not fnmatch.filter(cases, part):
                wrong.append(f"{page.relative_to(root)}: the filter {part} selects no test")

print("\n".join(wrong) or "the documents agree with the program")
sys.exit(1 if wrong else 0)
