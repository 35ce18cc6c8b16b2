#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost of the Python module: PYTHONPATH=build/release/python tests/python/measure.py build/release/app/orrery

    calls   nanoseconds of calls that only cross the language border: views, numbers, a step of one body
    steps   seconds of a step of a million bodies by the module and by `orrery run`, in turn, and the ratio
    cpu     the same in processor time of one thread, for a machine with other load
    views   bytes allocated when views are made (--bodies)"""
import argparse
import json
import resource
import statistics
import subprocess
import time

import orrery


def call_times(repeats):
    sim = orrery.Simulation(orrery.Scene([[0.0, 0, 0]]), "reference", backend="cpu", threads=1)
    calls = {"time": lambda: sim.time, "dt": lambda: sim.dt, "positions": lambda: sim.positions, "len": lambda: len(sim),
             "step(0)": lambda: sim.step(0), "accelerations": lambda: sim.accelerations, "step(), 1 body": sim.step}
    nothing = lambda: None
    for name, call in {"an empty function": nothing, **calls}.items():
        best = min(timed(call, repeats) for _ in range(200))  # the minimum excludes other load on the machine
        print(f"{name:24} {1e9 * best / repeats:8.0f} ns")
    best = min(timed(lambda: sim.step(repeats), 1) for _ in range(200))
    print(f"{f'a step of step({repeats})':24} {1e9 * best / repeats:8.0f} ns")


def timed(call, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return time.perf_counter() - start


def program_step(program, bodies, engine, steps):
    done = subprocess.run([program, "run", "plummer", "--bodies", str(bodies), "--engine", engine, "--backend", "cpu", "--steps",
                           str(steps), "--no-energy", "--json"], capture_output=True, text=True, check=True)
    return 1 / json.loads(done.stdout)["steps_per_second"]


def module_step(bodies, engine, steps):
    sim = orrery.Simulation(orrery.scene("plummer", bodies=bodies), engine, backend="cpu")
    start = time.perf_counter()
    for _ in range(steps):
        sim.step()
    return (time.perf_counter() - start) / steps


def program_cpu(program, bodies, engine, steps):
    """Seconds of processor time of a whole run on one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "run", "plummer", "--bodies", str(bodies), "--engine", engine, "--backend", "cpu", "--threads", "1",
                    "--steps", str(steps), "--no-energy", "--json"], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cpu_times(program, bodies, engine, steps, rounds):
    """The same as step_times(), in processor time of one thread, for a machine with other load."""
    both = {"module": [], "program": []}
    for _ in range(rounds):
        both["program"].append((program_cpu(program, bodies, engine, 1 + steps) - program_cpu(program, bodies, engine, 1)) / steps)
        sim = orrery.Simulation(orrery.scene("plummer", bodies=bodies), engine, backend="cpu", threads=1)
        sim.step()
        start = time.process_time()
        sim.step(steps)
        both["module"].append((time.process_time() - start) / steps)
        print(f"{engine}, {bodies} bodies, processor time of a step: module {both['module'][-1]:.3f} s, program {both['program'][-1]:.3f} s",
              flush=True)
    print(f"ratio of the minima {min(both['module']) / min(both['program']):.4f}")


def step_times(program, bodies, engine, steps, rounds):
    ratios = []
    for turn in range(rounds):
        both = {}
        for which in ("module", "program")[:: 1 if turn % 2 else -1]:
            both[which] = module_step(bodies, engine, steps) if which == "module" else program_step(program, bodies, engine, steps)
        ratios.append(both["module"] / both["program"])
        print(f"{engine}, {bodies} bodies: module {both['module']:.4f} s, program {both['program']:.4f} s, ratio {ratios[-1]:.4f}",
              flush=True)
    print(f"median ratio {statistics.median(ratios):.4f}")


def view_bytes(bodies):
    sim = orrery.Simulation(orrery.scene("plummer", bodies=bodies), "tree", backend="cpu")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    views = [sim.positions, sim.velocities, sim.masses]
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    shown = sum(view.nbytes for view in views)
    print(f"views of {shown / 1e6:.0f} MB: the process grew by {(after - before) / 1e3:.3f} MB; owned: "
          f"{[bool(view.flags.owndata) for view in views]}")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("what", nargs="*", default=["calls", "views", "steps"])
parser.add_argument("--bodies", type=int, default=1_000_000)
parser.add_argument("--engine", default="tree")
parser.add_argument("--steps", type=int, default=4)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--repeats", type=int, default=500)
options = parser.parse_args()
if "calls" in options.what:
    call_times(options.repeats)
if "views" in options.what:
    view_bytes(options.bodies)
if "cpu" in options.what:
    cpu_times(options.program, options.bodies, options.engine, options.steps, options.rounds)
if "steps" in options.what:
    step_times(options.program, options.bodies, options.engine, options.steps, options.rounds)
