#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes contact sheets of the window: every page at several sizes, in both themes and all languages.

    tests/tools/contact_sheets.py [--sizes 800x600,1280x720] [--themes dark,light] [--languages en,de,es]
                                  [--pages Setup,View] [--columns 4] [--width 640] ORRERY FOLDER

FOLDER gets a PNG of each page, WIDTHxHEIGHT-THEME-LANGUAGE/PAGE.png, and beside each folder a sheet of all its pages,
reduced to `--width` pixels each. Needs Xvfb, xdotool and, for sizes above 1920 pixels, xrdb.
"""
import argparse
import pathlib
import subprocess
import tempfile

from walk.driver import Display, Failure, Window, pixels_of_xwd, png_of_rows

ARGUMENTS = ["plummer", "--bodies", "2000", "--backend", "cpu", "--engine", "half"]


def reduced(picture, width):
    """Every n-th pixel of every n-th row, so that at most `width` pixels remain; rows of equal length."""
    columns, rows = picture
    step = max(1, -(-columns // width))
    lines = []
    for row in rows[::step]:
        line = bytearray(3 * -(-columns // step))
        for channel in range(3):
            line[channel::3] = row[channel::3 * step]
        lines.append(bytes(line))
    return lines


def sheet(pictures, columns, width):
    """One picture of all, `columns` in a row, separated by four grey pixels."""
    small = [reduced(each, width) for each in pictures]
    wide, tall = max(len(each[0]) for each in small), max(len(each) for each in small)
    gap, lines = b"\x60" * 12, []
    for first in range(0, len(small), columns):
        row = small[first:first + columns]
        for y in range(tall):
            parts = [(each[y] if y < len(each) else b"").ljust(wide, b"\0") for each in row]
            parts += [b"\0" * wide] * (columns - len(row))
            lines.append(b"".join(part + gap for part in parts))
        lines += [b"\x60" * len(lines[0])] * 4
    return len(lines[0]) // 3, lines


def states(window, pages):
    """Yields a name for each state of the window that a sheet shows."""
    shown = set()
    for page in pages or window.map()["pages"]:
        for _ in range(5):  # a click may be lost in the frame in which the sidebar changes
            window.click(page)
            window.wait_frames(3)
            if window.state("panel") not in shown or pages:
                break
        shown.add(window.state("panel"))
        window.away()
        window.wait_frames(4)
        yield page
    if pages:
        return
    window.key("g")
    window.wait_frames(8)
    yield "gallery"
    window.key("Escape", "ctrl+p")
    window.wait_frames(4)
    yield "palette"
    window.key("Escape", "h")
    window.wait_frames(4)
    yield "help"
    window.key("h")
    window.key("x")
    window.wait("a comparison", lambda s: s["compare"]["on"])
    window.click("Compare")
    window.away()
    window.wait_frames(8)
    yield "comparison"


def shoot(options, size, theme, language, folder):
    width, height = map(int, size.split("x"))
    dpi = 192 if width > 1920 else 96
    folder.mkdir(parents=True, exist_ok=True)
    pictures = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        settings = scratch / "orrery" / "settings.toml"
        settings.parent.mkdir()
        scale = dpi // 96
        settings.write_text(f'[window]\nwidth = {width // scale}\nheight = {height // scale}\ntheme = "{theme}"\n'
                            f'language = "{language}"\ntour = false\n')
        display = Display(True, width, height, scratch)
        display.environment["XDG_CONFIG_HOME"] = str(scratch)
        window = None
        try:
            if dpi != 96:
                subprocess.run(["xrdb", "-merge", "-"], input=f"Xft.dpi: {dpi}\n", text=True, check=True,
                               env=display.environment)
            window = Window(display, options.program.resolve(), ARGUMENTS, scratch, patience=120, fresh=False)
            window.key("space")
            window.wait("a pause", lambda s: s["paused"])
            for name in states(window, options.pages.split(",") if options.pages else None):
                picture = pixels_of_xwd(display.dump())
                png_of_rows(*picture, folder / f"{name}.png")
                pictures.append(picture)
        finally:
            if window:
                window.kill()
            display.close()
    png_of_rows(*sheet(pictures, options.columns, options.width), folder.with_suffix(".png"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="800x600,1280x720,1920x1080,3840x2160")
    parser.add_argument("--themes", default="dark,light")
    parser.add_argument("--languages", default="en,de,es")
    parser.add_argument("--pages", help="labels, separated by commas; default: all, and what lies over the picture")
    parser.add_argument("--columns", type=int, default=4)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("program", metavar="ORRERY", type=pathlib.Path)
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path)
    options = parser.parse_args()
    for size in options.sizes.split(","):
        for theme in options.themes.split(","):
            for language in options.languages.split(","):
                name = f"{size}-{theme}-{language}"
                try:
                    shoot(options, size, theme, language, options.folder / name)
                    print(name, flush=True)
                except Failure as problem:
                    raise SystemExit(f"{name}: {problem}")


if __name__ == "__main__":
    main()
