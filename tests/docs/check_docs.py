# SPDX-License-Identifier: MIT
"""Compares the documents with the program: check_docs.py ORRERY SOURCE_FOLDER. Exits with 1 after printing differences."""
import json
import pathlib
import re
import subprocess
import sys

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
guide = (root / "docs/guide.md").read_text()
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
keys = (root / "app/window/commands.cpp").read_text()
shown = (root / "app/ui/help_overlay.cpp").read_text()
text = r'"((?:[^"\\]|\\.)+)",\s*"((?:[^"\\]|\\.)+)"'
bindings = keys.split("kLines =")[1].split("});")[0]
mouse = shown.split("kMouse =")[1].split("});")[0]
compare("keys", rows("| key | does |"), re.findall(text, bindings))
compare("mouse", rows("| mouse | does |"), re.findall(text, mouse))

# Keys of scene files, and shipped scenes.
menus = json.loads(said("list", "--json"))
for what, head, found in (
        ("scene keys", "| section | key | takes | says |",
         [(key["section"], f'`{key["id"]}`', key["label"], key["doc"]) for key in menus["scene_keys"]]),
        ("scenes", "| scene | shows |", [(f'`{scene["id"]}`', scene["label"] + ". " + scene["doc"])
                                         for scene in menus["scenes"]])):
    if rows(head) != found:
        wrong.append(f"{what}: the guide's table should be\n" + "\n".join("| " + " | ".join(row) + " |" for row in found))

# Every id of every menu, every option of every command.
for menu, entries in menus.items():
    for entry in entries:
        if f'`{entry["id"]}`' not in guide:
            wrong.append(f'guide.md does not name `{entry["id"]}` of {menu}')
listed = said("--help").split("Commands:")[1].split("Arguments:")[0]
commands = re.findall(r"^  ([a-z]+) {2,}[A-Z]", listed, re.MULTILINE)
readme = (root / "README.md").read_text()
for command in commands:
    if f"`orrery {command}" not in readme:
        wrong.append(f"README.md does not name `orrery {command}`")
for command in [[]] + [[c] for c in commands]:
    for option in re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+)", said(*command, "--help-all"), re.MULTILINE):
        if option not in ("--help", "--help-all", "--version") and not re.search(rf"{option}\b(?!-)", guide):
            wrong.append(f"guide.md does not name {option} of `{' '.join(['orrery', *command])}`")
names = re.search(r"`list --json` \| an object of arrays: `([^`]*)`", guide)
if not names or names[1].split() != list(menus):
    wrong.append("guide.md, For scripts: the arrays of `list --json` are " + " ".join(menus))
head = subprocess.run([program, "bench", "--engines", "reference", "--bodies", "2", "--json"], check=True,
                      capture_output=True, text=True).stdout
measuring = (root / "docs/measuring.md").read_text()
for column in json.loads(head)[0]:
    if f"`{column}`" not in measuring:
        wrong.append(f"measuring.md does not name the column `{column}` of bench")

# Links are valid, and quoted code exists.
pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
for page in pages:
    prose = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if "://" not in target and not (page.parent / target).exists():
            wrong.append(f"{page.name}: {target} does not exist")
sources = " ".join(" ".join(p.read_text().split()) for folder in ("core", "app")
                   for p in sorted((root / folder).rglob("*.[ch]pp")))
for quoted in re.findall(r"```cpp\n(.*?)```", (root / "docs/adding.md").read_text(), re.DOTALL):
    if " ".join(quoted.split()) not in sources:
        wrong.append(f"adding.md quotes code that is not in the sources: {quoted}")

print("\n".join(wrong) or "the documents agree with the program")
sys.exit(1 if wrong else 0)
