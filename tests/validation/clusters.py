# SPDX-License-Identifier: MIT
"""Many bodies: chaos and core collapse of a Plummer sphere, forces in two galaxies."""
import math

import program
from program import Body, Case, dot, minus, orrery, read, run, table, write

CPU = ("--backend", "cpu")
HERMITE = ("--engine", "direct", *CPU, "--threads", 1, "--precision", "double", "--integrator", "hermite4-block")
CROSSING = 2 * math.sqrt(2)  # of N-body units, G = M = 1, E = -1/4


def chaos():
    case = Case("Chaos",
                "Nearby N-body systems diverge exponentially (Miller 1964, Astrophys. J. 140, 250), with an e-folding "
                "time that is a small fraction of the crossing time at any N and decreases slowly with N (Goodman, "
                "Heggie and Hut 1993, Astrophys. J. 415, 715). Two Plummer spheres in N-body units, of which the "
                "second has one body displaced by 1e-10 in x, softening 1/(4 N); the crossing time is 2√2. Δ is "
                "√(mean |x_B − x_A|²); the e-folding time t_e is that of the best fit of log Δ over the times at "
                "which Δ is below 1e-3.",
                ["N", "Δ at first", "Δ at the end", "after t =", "t_e", "t_e in crossing times", "r of the fit"])
    found = []
    for n in ((64, ) if program.quick else (64, 256, 1024)):
        softening = 1 / (4 * n)
        run("plummer", "--bodies", n, "--softening", softening, *HERMITE, "--dt", 1 / 256, "--steps", 0, out="a.csv")
        bodies, _ = read("a.csv")
        bodies[0].x[0] += 1e-10
        write("b.csv", bodies, softening)
        times, logs, distance = [], [], []
        steps = 256 if program.quick else 64
        for _ in range(60):
            (a, time, _), (b, _, _) = (run(name, *HERMITE, "--dt", 1 / 256, "--steps", steps, "--no-energy", out=name)
                                       for name in ("a.csv", "b.csv"))
            distance.append(math.sqrt(sum(math.dist(p.x, q.x) ** 2 for p, q in zip(a, b)) / n))
            if distance[-1] > 1e-3:
                break
            times.append(time), logs.append(math.log(distance[-1]))
        t, y = sum(times) / len(times), sum(logs) / len(logs)
        tt, yy = sum((p - t) ** 2 for p in times), sum((q - y) ** 2 for q in logs)
        ty = sum((p - t) * (q - y) for p, q in zip(times, logs))
        folding = tt / ty
        found.append(folding)
        case.rows.append([n, f"{distance[0]:.1e}", f"{math.exp(logs[-1]):.1e}", f"{times[-1]:.2f}", f"{folding:.3f}",
                          f"{folding / CROSSING:.3f}", f"{ty / math.sqrt(tt * yy):.3f}"])
        case.expect(f"e-folding time of {n} bodies in crossing times", folding / CROSSING, 0.02, 0.5)
        case.expect(f"correlation of the fit for {n} bodies", ty / math.sqrt(tt * yy), 0.9, 1)
    case.commands.append(f"orrery run a.csv {' '.join(map(str, HERMITE))} --dt {1 / 256} --steps 64 -o a.csv")
    case.commands.append(f"orrery run b.csv {' '.join(map(str, HERMITE))} --dt {1 / 256} --steps 64 -o b.csv")
    return case


def plain_accelerations(bodies, chosen, softening):
    """All pairs in double precision, each sum rounded once (Shewchuk's exact summation, math.fsum)."""
    found = []
    for i in chosen:
        x, y, z = bodies[i].x
        terms = ([], [], [])
        for j, other in enumerate(bodies):
            if j == i:
                continue
            dx, dy, dz = other.x[0] - x, other.x[1] - y, other.x[2] - z
            r2 = dx * dx + dy * dy + dz * dz + softening * softening
            s = other.m / (r2 * math.sqrt(r2))
            terms[0].append(s * dx), terms[1].append(s * dy), terms[2].append(s * dz)
        found.append([math.fsum(each) for each in terms])
    return found


def galaxies():
    n, sample = (2048, 64) if program.quick else (16384, 256)
    case = Case("Forces in an encounter of two galaxies",
                f"Accelerations of {sample} bodies, evenly spaced over the {n} of the preset `collision`, by a plain"
                " double loop in Python that shares no code with Orrery and rounds each sum once. A snapshot with "
                "all velocities zero takes one step of length 1 of the integrator `taylor`; the velocities after it"
                " are the accelerations before it. Error: relative RMS.",
                ["state", "engine", "precision", "requested", "error"])
    steps = 100 if program.quick else 330
    scene = ("run", "collision", "--bodies", n, "--engine", "half", *CPU, "--no-energy")
    orrery(*scene, "--steps", 0, "-o", "before.csv")
    orrery(*scene, "--dt", 0.003, "--steps", steps, "-o", "after.csv")
    for state, name in (("at the beginning", "before.csv"), (f"after {steps} steps", "after.csv")):
        bodies, _ = read(name)
        chosen = range(0, n, n // sample)
        exact = plain_accelerations(bodies, chosen, 0.01)
        write("rest.csv", [Body(b.m, b.x, [0, 0, 0]) for b in bodies], 0.01)
        for engine, precision, accuracy, bound in (("direct", "double", None, 1e-14), ("half", "double", None, 1e-14),
                                                   ("direct", "single", None, 2e-6), ("half", "single", None, 2e-6),
                                                   ("tree", "single", 1e-3, 2e-3), ("tree", "double", 1e-5, 2e-5)):
            extra = ("--accuracy", accuracy) if accuracy else ()
            end, _, _ = run("rest.csv", "--engine", engine, *CPU, "--precision", precision, *extra, "--integrator",
                            "taylor", "--dt", 1, "--steps", 1, "--no-energy")
            off = [minus(end[i].v, a) for i, a in zip(chosen, exact)]
            error = math.sqrt(sum(dot(d, d) for d in off) / sum(dot(a, a) for a in exact))
            case.rows.append([state, f"`{engine}`", precision, f"{accuracy:g}" if accuracy else "", f"{error:.1e}"])
            case.expect(f"{engine}, {precision}, {state}", error, 0, bound)
    case.commands.append(f"orrery run collision --bodies {n} --engine half --dt 0.003 --steps {steps} -o after.csv")
    case.commands.append("orrery run rest.csv --engine tree --accuracy 1e-3 --integrator taylor --dt 1 --steps 1 "
                         "-o accelerations.csv")
    case.after = ("No results of REBOUND and gyrfalcON for the same bodies are available; neither program was run.")
    return case


def collapse():
    n, until = 1024, 400
    radius = 0.769  # half-mass radius of a Plummer sphere in N-body units
    relaxation = 0.138 * n * radius**1.5 / math.log(0.11 * n)
    case = Case(f"Core collapse of {n} bodies",
                "A Plummer sphere of equal masses in N-body units. The half-mass relaxation time at the beginning "
                "(Spitzer 1987, Dynamical Evolution of Globular Clusters) is t_rh = 0.138 N r_h^1.5 / ln(0.11 N) = "
                f"{relaxation:.1f}, with the Coulomb logarithm of Giersz and Heggie (1994, Mon. Not. R. Astron. Soc. "
                "268, 257). In Fokker–Planck models the core collapses after 15.7 t_rh (isotropic: Cohn 1980, Astrophys. J. "
                "242, 765) or 17.6 t_rh (anisotropic: Takahashi 1995, Publ. Astron. Soc. Japan 47, 561). Softening 1/N, of "
                "the order of the distance G m/v² of close encounters, so that the sphere relaxes somewhat more slowly than "
                "without. One simulation tests no mean; it must collapse within 25 % of these. Collapse: the smallest mean of "
                f"r_1, the radius of 1 % of the mass, over {2 * WINDOW + 1} rows of the table.",
                ["seed", "collapse at t =", "in t_rh", "r_1 at first, then", "r_10", "r_50", "\\|ΔE/E\\| until then"])
    command = ("run", "plummer", "--seed", 1, "--bodies", n, "--softening", 1 / n, *HERMITE, "--dt", 1 / 128,
               "--until", until, "--diagnostics", "core.csv", "--diagnostics-every", 64)
    orrery(*command)
    collapsed(case, table("core.csv"), relaxation)
    case.commands.append("orrery " + " ".join(map(str, command)))
    return case


def collapsed(case, rows, relaxation):
    at, energy = collapse_of(rows), rows["total"]
    radii = [f"{mean(rows[key], WINDOW):.3f}, {mean(rows[key], at):.3f}" for key in ("r_1", "r_10", "r_50")]
    drift = max(abs(e / energy[0] - 1) for e in energy[:at + 1])
    case.rows.append([1, f"{rows['time'][at]:.0f}", f"{rows['time'][at] / relaxation:.1f}", *radii, f"{drift:.1e}"])
    case.expect("time of collapse in relaxation times", rows["time"][at] / relaxation, 12.5, 22)
    case.expect("energy error", drift, 0, 1e-2)


WINDOW = 8  # rows on either side


def mean(values, at):
    part = values[max(0, at - WINDOW):at + WINDOW + 1]
    return sum(part) / len(part)


def collapse_of(rows):
    """The row about which r_1 is smallest."""
    return min(range(WINDOW, len(rows["time"]) - WINDOW), key=lambda k: mean(rows["r_1"], k))
