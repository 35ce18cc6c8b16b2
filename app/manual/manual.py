#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the manual pages and the completions of bash, zsh and fish from the program's description of its options.

    manual.py PROGRAM FOLDER

The folder is laid out like /usr/share. `PROGRAM help --json` prints the description: for each command its texts and its
options with names, values and limits. All that this script writes depends only on the program.
"""
import json
import pathlib
import subprocess
import sys

def first_name(option):
    """The first long name; without one, the first short name, or that of the argument."""
    return next((name for name in option["names"] if name.startswith("--")),
                option["names"][0] if option["names"] else option["positional"])


# Manual pages: troff with the macros of man(7), UTF-8. A page has the content of --help in another order.

def troff(text):
    """Text in troff: `x` is bold; dashes can be copied and never end a line."""
    parts = text.replace("\\", "\\e").replace("-", "\\-").split("`")
    out = parts[0]
    for number, part in enumerate(parts[1:]):
        out += ("\\fR" if number % 2 else "\\fB") + part
    return "\\&" + out if out.startswith((".", "'")) else out


def bold(text):
    return "\\fB" + troff(text) + "\\fR"


def italic(text):
    return "\\fI" + troff(text) + "\\fR"


def page_name(app):
    return "orrery-" + app["name"] if app["name"] else "orrery"


def reference(app):
    return bold(page_name(app)) + "(1)"


def paragraph(option):
    """Purpose, values, default, and the options it excludes or needs."""
    text = troff(option["description"])
    if option["range"]:
        text += f" ({option['range']})"
    text += "."
    words = option["words"]
    if option["value"] == "NAME" and troff(words[-1]) not in text:
        text += f" One of {', '.join(words)}."
    if option["value"] == "FILE" and words:
        text += f" Names: {troff(', '.join(words))}."
    if option["required"]:
        text += " Required."
    if option["default"]:
        text += f" Default: {troff(option['default'])}."
    for intro, others in (("Not", option["excludes"]), ("Only", option["needs"])):
        if others:
            text += f" {intro} with {', '.join(map(bold, sorted(others)))}."
    return text


def entry(option):
    head = ", ".join(map(bold, option["names"]))
    if option["value"]:
        value = italic(option["value"])
        head += " " + (f"{value}[,{value}...]" if option["several"] else value)
    text = f"The same as {italic(option['positional'])}." if option["positional"] else paragraph(option)
    return f".TP\n{head}\n{text}\n"


def synopsis(app):
    text = ".SH SYNOPSIS\n" + bold(("orrery " + app["name"]).rstrip()) + " [" + italic("OPTIONS") + "]"
    for option in app["arguments"]:
        name = italic(option["positional"])
        text += " " + (name if option["required"] else f"[{name}]")
    text += "\n"
    if not app["name"]:
        text += f".br\n{bold('orrery')} {italic('COMMAND')} [{italic('...')}]\n"
    return text


def options_section(app):
    """General options first, then each group."""
    groups = {"": ""}
    for option in app["options"]:
        groups[option["of"]] = groups.get(option["of"], "") + entry(option)
    return ".SH OPTIONS\n" + "".join((f".SS {troff(of)}\n" if of else "") + text for of, text in groups.items())


def description_section(app):
    text = app["description"]
    text = ".SH DESCRIPTION\n" + troff(text if text.endswith(".") else text + ".") + "\n"
    for number, part in enumerate(app["paragraphs"]):
        if part["verbatim"]:
            text += f".PP\n.RS 4\n{bold(part['text'])}\n.RE\n"
        else:
            text += (".PP\n" if number else "") + troff(part["text"]) + "\n"
    return text


def in_a_line(text):
    """'Orrery, a program.' as the line for whatis(1): 'program'."""
    text = text.removeprefix("Orrery, a ").removesuffix(".")
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def man_page(app, apps, version):
    root = apps[0]
    text = f'.TH {troff(page_name(app).upper())} 1 "" "orrery {version}" "User Commands"\n.nh\n.ad l\n'
    text += f".SH NAME\n{troff(page_name(app))} \\- {troff(in_a_line(app['description']))}\n"
    text += synopsis(app) + description_section(app)
    if app is root:
        text += ".SH COMMANDS\nEach has its own page.\n"
        for command in apps[1:]:
            text += f".TP\n{reference(command)}\n{troff(command['description'])}.\n"
    if app["arguments"]:
        text += ".SH ARGUMENTS\n"
    for option in app["arguments"]:
        text += f".TP\n{italic(option['positional'])}\n{paragraph(option)}\n"
    text += options_section(app) + f".SH EXIT STATUS\n{troff(root['exit_codes'])}\n"
    if app is root:
        text += (f".SH FILES\n.TP\n{italic('$XDG_CONFIG_HOME/orrery/settings.toml')}, "
                 f"{italic('~/.config/orrery/settings.toml')}\n"
                 "Settings that the window remembers. Other commands never read it.\n")
    if app["examples"]:
        text += ".SH EXAMPLES\n"
    for example in app["examples"]:
        text += f".TP\n{bold(example['command'])}\n"
        text += troff(example["explanation"]) + "\n" if example["explanation"] else ""
    return text + ".SH SEE ALSO\n" + ",\n".join(reference(other) for other in apps if other is not app) + "\n"


# Completions: commands, options, their words, files and folders.

def quoted(text):
    """'text', quoted for a shell."""
    return "'" + text.replace("'", "'\\''") + "'"


BASH = r"""# Completion of bash for orrery, made with the program.
_orrery() {
    # Words by blanks alone: bash also cuts at = and :.
    local line=${COMP_LINE:0:COMP_POINT} command= options= words= i
    local -a typed
    read -r -a typed <<<"$line"
    [[ $line == *[[:space:]] ]] && typed+=("")
    local current=${typed[${#typed[@]} - 1]} option=${typed[${#typed[@]} - 2]} several= files= folders=
    if [[ $current == --*=* ]]; then
        option=${current%%=*}
        current=${current#*=}
    fi
    for ((i = 1; i < ${#typed[@]} - 1; ++i)); do
        case ${typed[i]} in
        @commands@)
            command=${typed[i]}
            break
            ;;
        esac
    done
    case "$command $option" in
@options@    *)
        option=
        ;;
    esac
    if [[ -z $option ]]; then
        case $command in
@branches@        esac
        [[ $current == -* ]] && words=$options files= folders=
    fi
    COMPREPLY=()
    local before=
    [[ -n $several && $current == *,* ]] && before=${current%,*},
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${current#"$before"}")
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
    [[ -n $several ]] && compopt -o nospace
    if [[ -n $files$folders ]]; then
        compopt -o filenames
        local -a found
        mapfile -t found < <(compgen ${files:+-f} ${folders:+-d} -- "$current")
        COMPREPLY+=("${found[@]}")
    fi
    # bash puts in the place of what follows the last colon.
    [[ $current == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
    return 0
}
complete -F _orrery orrery
"""


def assignments(value, words, several):
    """Shell assignments for the arguments of an option or a positional."""
    text = f" words='{' '.join(words)}'" if words else ""
    text += " several=1" if several else ""
    text += {"FILE": " files=1", "FOLDER": " folders=1"}.get(value, "")
    return text or " :"


def bash_completion(apps):
    patterns = {}  # of all options with the same arguments
    for app in apps:
        for option in app["options"]:
            if option["value"]:
                same = patterns.setdefault(assignments(option["value"], option["words"], option["several"]), [])
                same += [f'"{app["name"]} {name}"' for name in option["names"]]
    options = "".join(f"    {' | '.join(names)})\n       {assigned}\n        ;;\n"
                      for assigned, names in sorted(patterns.items()))
    branches = ""
    for app in apps:
        value, words = "", [] if app["name"] else [command["name"] for command in apps[1:]]
        for option in app["arguments"]:
            value, words = option["value"], words + option["words"]
        names = " ".join(name for option in app["options"] for name in option["names"])
        branches += (f"        '{app['name']}')\n            options='{names}'\n           "
                     f"{assignments(value, words, False)}\n            ;;\n")
    commands = " | ".join(command["name"] for command in apps[1:])
    return BASH.replace("@commands@", commands).replace("@options@", options).replace("@branches@", branches)


ZSH = r"""#compdef orrery
# Completion of zsh for orrery, made with the program.

# Words, or files.
_orrery_words_or_files() {
    _alternative "words:name:($*)" 'files:file:_files'
}

_orrery_start() {
    local -a commands=(
@start@    )
    _describe -t commands command commands
    _orrery_words_or_files @scenes@
}
@functions@
_orrery() {
    local -i i
    for ((i = 2; i < CURRENT; ++i)); do
        case ${words[i]} in
        (@commands@)
            local complete=_orrery_${words[i]}
            shift $((i - 1)) words
            ((CURRENT -= i - 1))
            $complete
            return
            ;;
        esac
    done
    _orrery_window
}

_orrery "$@"
"""


def escaped(text, special):
    return "".join("\\" + c if c in special else c for c in text)


def action(option):
    """The arguments of an option or positional: ':NAME:(a b)'."""
    value, words = option["value"], escaped(" ".join(option["words"]), ":\\")
    if not value:
        return ""
    if value == "FOLDER":
        completed = "_files -/"
    elif value == "FILE":
        completed = f" _orrery_words_or_files {words}" if words else "_files"
    elif not words:
        completed = " "
    else:
        completed = f"_sequence compadd - {words}" if option["several"] else f"({words})"
    return f":{value}:{completed}"


def zsh_option(app, option):
    """One specification for each name. Names of the option and of those it excludes may be given only once in all."""
    names = set(option["names"]).union(*(other["names"] for other in app["options"]
                                         if first_name(other) in option["excludes"]))
    rest = "[" + escaped(option["short"], "[]:\\") + "]" + action(option)
    return [f"({' '.join(sorted(names))}){name}{'=' if option['value'] and name.startswith('--') else ''}{rest}"
            for name in option["names"]]


def zsh_completion(apps):
    functions = ""
    for app in apps:
        specifications = [each for option in app["options"] for each in zsh_option(app, option)]
        for place, option in enumerate(app["arguments"], 1):
            specifications.append(f"{place}" + (action(option) if app["name"] else ":scene or command: _orrery_start"))
        functions += f"\n_orrery_{app['name'] or 'window'}() {{\n    _arguments"
        functions += "".join(f" \\\n        {quoted(each)}" for each in specifications) + "\n}\n"
    start = "".join(f"        {quoted(command['name'] + ':' + command['description'])}\n" for command in apps[1:])
    scenes = " ".join(word for option in apps[0]["arguments"] for word in option["words"])
    commands = "|".join(command["name"] for command in apps[1:])
    return (ZSH.replace("@start@", start).replace("@scenes@", scenes).replace("@functions@", functions)
            .replace("@commands@", commands))


FISH = r"""# Completion of fish for orrery, made with the program.
function __orrery_command
    for word in (commandline -opc)[2..]
        if contains -- $word @commands@
            echo $word
            return
        end
    end
end
function __orrery_in
    set -l command (__orrery_command)
    test "$command" = "$argv[1]"
end
# Words of a list whose beginning is typed.
function __orrery_list
    set -l typed (commandline -ct | string replace -r '^--[^=]*=' '')
    set -l before (string match -r '^.*,' -- $typed; or echo)
    printf '%s\n' $before$argv
end
complete -c orrery -f
"""


def fish_arguments(option):
    """The arguments of an option or positional: "-x -a 'a b'"."""
    value, words = option["value"], " ".join(option["words"])
    if not value:
        return ""
    if value == "FOLDER":
        return " -x -a '(__fish_complete_directories)'"
    if value == "FILE":
        return " -r -F" + (f" -a '{words}'" if words else "")
    if not words:
        return " -x"
    return f" -x -a '(__orrery_list {words})'" if option["several"] else f" -x -a '{words}'"


def fish_begin(command):
    return f"complete -c orrery -n \"__orrery_in '{command}'\""


def fish_completion(apps):
    lines = ""
    for command in apps[1:]:
        lines += f"{fish_begin('')} -a {command['name']} -d {quoted(command['description'])}\n"
    for app in apps:
        begin = fish_begin(app["name"])
        for option in app["arguments"]:
            lines += begin + fish_arguments(option) + "\n"
        for option in app["options"]:
            names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
                            for name in option["names"])
            lines += f"{begin}{names}{fish_arguments(option)} -d {quoted(option['short'])}\n"
    return FISH.replace("@commands@", " ".join(command["name"] for command in apps[1:])) + lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    described = json.loads(subprocess.run([program, "help", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    apps = described["apps"]  # the program itself, then its commands in the order of --help
    pages = {f"man/man1/{page_name(app)}.1": man_page(app, apps, described["version"]) for app in apps}
    pages["bash-completion/completions/orrery"] = bash_completion(apps)
    pages["zsh/site-functions/_orrery"] = zsh_completion(apps)
    pages["fish/vendor_completions.d/orrery.fish"] = fish_completion(apps)
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print("wrote", path)


if __name__ == "__main__":
    main()
