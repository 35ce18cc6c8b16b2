#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests what shows only in the long run: growing memory, hanging windows, settings destroyed by a kill.

    tests/tools/endurance.py [--program build/release/app/orrery] [keys N] [kills N] [steps N] [idle]

keys: N random keys, clicks, drags, wheel turns and sizes (20000) in a real window; it must respond after every twenty,
and the resident memory of the last quarter may exceed that of the second by 5 %. kills: a window killed by SIGKILL at N
random moments (50) must start again without complaint. steps: a run of N steps (1000000) with a checkpoint every
thousand, with the same limit on memory. idle: a paused window may take 2 % of a core. Needs Xvfb and xdotool. Exit code 1
if a limit is exceeded. --seed repeats a sequence of keys.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # beside the sources

from walk.driver import Display, Failure, Window

KEYS = ([*"1234567abcdefghijklmnopqstuvwxyz", "F1", "F2", "F5", "F8", "F11", "space", "period", "comma", "Left", "Right",
         "Up", "Down", "plus", "minus", "bracketleft", "bracketright", "Return", "Tab", "Home", "End", "Page_Up",
         "BackSpace", "ctrl+z", "shift+F1", "Delete", "slash", "0", "r", "r"])
GROWTH = 1.05


def resident(process):
    """Resident memory of a process in MiB."""
    pages = int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def grown(samples):
    """Ratio of the last quarter to the second, in which everything has been used once."""
    quarter = max(1, len(samples) // 4)
    early, late = samples[quarter:2 * quarter] or samples[:1], samples[-quarter:]
    return max(late) / max(early), max(early), max(late)


def words_of(rng, window, width, height):
    x, y = rng.randrange(width), rng.randrange(height)
    kind = rng.random()
    if kind < 0.01:
        return ["windowsize", window, *(str(rng.choice([side, rng.randrange(1, side)])) for side in (width, height))]
    if kind < 0.55:
        return ["key", rng.choice(KEYS)]
    words = ["mousemove", str(x), str(y)]
    if kind < 0.8:
        return words + ["click", rng.choice("11113")]
    if kind < 0.9:
        return words + ["click", rng.choice("45")]
    return words + ["mousedown", "1", "mousemove", str(rng.randrange(width)), str(rng.randrange(height)), "mouseup", "1"]


def keys(options, folder, display):
    rng, samples, starts, done = random.Random(options.seed), [], 0, 0
    window = None
    while done < options.count:
        if window is None or window.process.poll() is not None:
            if window is not None and window.process.returncode != 0:
                raise Failure(f"exit code {window.process.returncode} after {done} inputs: {window.errors()[-500:]}")
            window = Window(display, options.program, ["plummer", "--bodies", "800", "--backend", "cpu", "--width", "960",
                                                       "--height", "600"], folder, 600)
            starts += 1
        batch = [word for _ in range(20) for word in words_of(rng, window.window_id, 960, 600)]
        try:
            window.xdotool(*batch)
            window.wait_frames(1)
        except (Failure, FileNotFoundError):
            if window.process.poll() != 0:  # Ctrl+Q and the like close it, which is not a failure
                raise
            continue
        finally:
            done += 20
        samples.append(resident(window.process.pid))
        for film in folder.glob("orrery-*"):  # recordings and screenshots
            if film.is_file() and time.time() - film.stat().st_mtime > 30:
                film.unlink()
        if done % 1000 == 0:
            print(f"  {done} inputs, {samples[-1]:.0f} MiB, {window.state('bodies')} bodies", flush=True)
    window.kill()
    ratio, early, late = grown(samples)
    print(f"keys: {done} inputs, {starts} windows, memory {early:.0f} MiB, at the end {late:.0f} MiB ({ratio:.3f})")
    return ratio <= GROWTH


def kills(options, folder, display):
    rng = random.Random(options.seed)
    environment = display.environment | {"XDG_CONFIG_HOME": str(folder)}
    for kill in range(options.count + 1):
        map_file = folder / "map.json"
        map_file.unlink(missing_ok=True)
        with open(folder / "errors.txt", "w") as errors:
            window = subprocess.Popen([options.program, "plummer", "--bodies", "500", "--backend", "cpu", "--ui-map",
                                       map_file], env=environment, stderr=errors, cwd=folder)
        end = time.monotonic() + 600
        while not map_file.exists() and window.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        told = (folder / "errors.txt").read_text()
        if window.poll() is not None or "settings.toml" in told:
            raise Failure(f"after {kill} kills: {told}")
        if kill % 5 == 4:  # terminated normally, then killed while writing its settings
            window.send_signal(signal.SIGTERM)
        time.sleep(rng.random() * 0.3)
        window.kill()
        window.wait()
    print(f"kills: {options.count} windows killed, each started again")
    return True


def steps(options, folder, display):
    del display
    run = subprocess.Popen([options.program, "run", "plummer", "--bodies", "32", "--engine", "direct", "--backend", "cpu",
                            "--threads", "1", "--steps", str(options.count), "--no-energy", "--checkpoint", "c.orrery",
                            "--every-steps", "1000"], cwd=folder, stdout=subprocess.DEVNULL)
    samples = []
    while run.poll() is None:
        samples.append(resident(run.pid))
        time.sleep(0.2)
    ratio, early, late = grown([s for s in samples if s > 0])
    print(f"steps: {options.count} steps, exit code {run.returncode}, memory {early:.1f} MiB, in the end {late:.1f} MiB "
          f"({ratio:.3f})")
    return run.returncode == 0 and ratio <= GROWTH


def idle(options, folder, display):
    window = Window(display, options.program, ["plummer", "--bodies", "800", "--backend", "cpu"], folder, 600)
    window.key("space")
    frames, share = window.state("frames"), 1.0
    for _ in range(60):
        before = processor_seconds(window.process.pid)
        time.sleep(5)
        share = (processor_seconds(window.process.pid) - before) / 5
        if window.state("frames") == frames:
            break
        frames = window.state("frames")
    window.kill()
    print(f"idle: a paused window takes {100 * share:.1f} % of a core")
    return share <= 0.02


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="keys, kills, steps, idle, each with or without a number; default: all")
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/release/app/orrery"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.program = options.program.resolve()
    counts = {"keys": 20000, "kills": 50, "steps": 1_000_000, "idle": 1}
    chosen = {}
    for word in options.what or counts:
        if word.isdigit():
            chosen[list(chosen)[-1]] = int(word)
        else:
            chosen[word] = counts[word]
    failed = []
    for name, options.count in chosen.items():
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            display = Display(True, 1280, 800, folder)
            try:
                if not globals()[name](options, folder, display):
                    failed.append(name)
            except Failure as failure:
                print(f"{name}: {failure}")
                failed.append(name)
            finally:
                display.close()
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
