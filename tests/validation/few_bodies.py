# SPDX-License-Identifier: MIT
"""Three bodies and two: Pythagorean problem, figure eight, Lagrange's triangle, Kepler ellipses."""
import math

import program
import taylor_series
from program import Body, Case, dot, minus, power, run, write


def orbit(a, b):
    """Energy per reduced mass, semi-major axis and eccentricity of two bodies."""
    mu, x, v = a.m + b.m, minus(b.x, a.x), minus(b.v, a.v)
    r = math.sqrt(dot(x, x))
    energy = dot(v, v) / 2 - mu / r
    h = [x[1] * v[2] - x[2] * v[1], x[2] * v[0] - x[0] * v[2], x[0] * v[1] - x[1] * v[0]]
    return energy, -mu / (2 * energy), math.sqrt(max(0.0, 1 + 2 * energy * dot(h, h) / mu**2))


def pair_of(a, b):
    m = a.m + b.m
    return Body(m, *([(a.m * p + b.m * q) / m for p, q in zip(u, w)] for u, w in ((a.x, b.x), (a.v, b.v))))


# The final binary at t = 75, from the Taylor series with 36 digits.
PYTHAGOREAN = (0.55249452, 0.98870503)


def pythagorean():
    case = Case("Pythagorean three-body problem",
                "Masses 3, 4 and 5 at rest at the corners opposite the sides 3, 4 and 5 (Burrau 1913, Astron. "
                "Nachr. 195, 113). Szebehely and Peters (1967, Astron. J. 72, 876) integrated it first: after many "
                "close encounters the lightest body escapes near t = 60, and the other two are left in an eccentric"
                " binary. The motion multiplies errors by some 10⁷, so the reference for the binary at t = 75 is a "
                "Taylor series of order 28 with 36 decimal digits (`tests/validation/taylor_series.py`). A body has"
                " escaped from the last time on at which its energy relative to the centre of mass of the other two"
                " is positive, checked every 0.25.",
                ["by", "escapes", "from t =", "binary", "a", "e", "\\|ΔE/E\\|"])
    if not program.quick:
        masses = [3, 4, 5]
        x, v = taylor_series.integrate(masses, [[1, 3], [-2, -1], [1, -1]], [[0, 0]] * 3, 75)
        _, a, e = orbit(*(Body(masses[i], [*x[i], 0], [*v[i], 0]) for i in (1, 2)))
        case.rows.append(["Taylor series", "", "", "4 and 5", f"{a:.5f}", f"{e:.5f}", ""])
        case.expect("a of the series", a, PYTHAGOREAN[0] - 1e-8, PYTHAGOREAN[0] + 1e-8)
        case.expect("e of the series", e, PYTHAGOREAN[1] - 1e-8, PYTHAGOREAN[1] + 1e-8)
    for eta, compensated, near in ((0.01, False, 0.03), (0.01, True, 1e-4), (0.005, True, 1e-4)):
        if program.quick and not (compensated and eta == 0.01):
            continue
        arguments = ["--integrator", "yoshida6", "--adaptive", eta, "--precision", "double"]
        arguments += ["--compensated"] if compensated else []
        case.commands.append("orrery run pythagorean " + " ".join(map(str, arguments)) + " --until 75 -o end.csv")
        end, _, said = run("pythagorean", *arguments, "--until", 75)
        energies = [orbit(body, pair_of(*(b for b in end if b is not body)))[0] for body in end]
        escaper = max(range(3), key=lambda i: energies[i])
        others = [i for i in range(3) if i != escaper]
        scene, since = "pythagorean", None
        for at in ((58, 62) if program.quick else [57 + k / 4 for k in range(53)]):
            state, t, _ = run(scene, *arguments, "--until", at, out="at.csv")
            scene = "at.csv"
            free = orbit(state[escaper], pair_of(*(state[i] for i in others)))[0] > 0
            since = None if not free else since if since is not None else t
        _, a, e = orbit(*(end[i] for i in others))
        case.rows.append([f"`yoshida6`, η = {eta}" + (", compensated" if compensated else ""),
                          f"mass {end[escaper].m:g}", f"{since:.2f}" if since else "–",
                          " and ".join(f"{end[i].m:g}" for i in others), f"{a:.5f}", f"{e:.5f}",
                          f"{said['energy_drift']:.1e}"])
        case.expect("mass of the escaper", end[escaper].m, 3, 3)
        case.expect("time of the escape", since or 0, 58.1, 62.1)
        case.expect("a", a, PYTHAGOREAN[0] - near, PYTHAGOREAN[0] + near)
        case.expect("e", e, PYTHAGOREAN[1] - near, PYTHAGOREAN[1] + near)
    return case


def figure_eight():
    period = 6.32591398
    case = Case("Figure eight",
                "Three equal masses follow one another on one closed curve (Chenciner and Montgomery 2000, Ann. "
                f"Math. 152, 881). Initial conditions and period T = {period} were computed by Simó and are given "
                "there to eight decimals; those of the preset are these, refined until the orbit closes. Measured: "
                "the time at which the bodies are closest to where they began.",
                ["integrator, dt", "T", "off by", "distance then"])
    start, _, _ = run("figure-eight", "--steps", 0)
    for integrator, steps in (("yoshida6", 1000), ("yoshida6", 2000), ("hermite4", 8000)):
        command = ("figure-eight", "--integrator", integrator, "--dt", repr(period / steps), "--steps", steps,
                   "--precision", "double")
        case.commands.append("orrery run " + " ".join(map(str, command)) + " -o end.csv")
        end, time, _ = run(*command)
        late = sum(dot(minus(b.x, s.x), b.v) for b, s in zip(end, start)) / sum(dot(b.v, b.v) for b in end)
        off = [minus(minus(b.x, s.x), [late * n for n in b.v]) for b, s in zip(end, start)]
        distance = math.sqrt(sum(dot(d, d) for d in off))
        case.rows.append([f"`{integrator}`, T/{steps}", f"{time - late:.10f}", f"{time - late - period:+.1e}",
                          f"{distance:.1e}"])
        case.expect("period", time - late - period, -1e-8, 1e-8)
        case.expect("distance", distance, 0, 1e-9)
    return case


def lagrange():
    exact = 1 / math.sqrt(2)
    case = Case("Lagrange's equilateral triangle",
                "Three bodies on a rotating equilateral triangle (Lagrange 1772). Small deviations grow as exp λt "
                "with λ⁴ + Ω²λ² + 27/4 Ω⁴ (m₁m₂ + m₂m₃ + m₃m₁)/M² = 0 (Routh 1875, Proc. London Math. Soc. 6, 86), "
                f"which for equal masses gives Re λ = Ω/√2 = {exact:.6f} Ω and Im λ = Ω. One body is displaced by "
                "1e-10; the deviation of the sides from their mean is compared at whole periods, where the phase of"
                " the oscillation is the same.",
                ["periods", "deviation", "Re λ/Ω since the last"])
    turn = [(math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3)) for k in range(3)]
    radius = 1 / math.sqrt(3)
    omega = math.sqrt(3)  # G M = 3, side 1
    period = 2 * math.pi / omega
    write("triangle.csv", [Body(1, [radius * c + (1e-10 if k == 0 else 0), radius * s, 0],
                                [-radius * omega * s, radius * omega * c, 0]) for k, (c, s) in enumerate(turn)])
    scene, last, dt = "triangle.csv", None, period / 1000
    command = ("--integrator", "yoshida6", "--dt", repr(dt), "--steps", 1000, "--precision", "double")
    case.commands.append("orrery run triangle.csv " + " ".join(map(str, command)) + " -o at.csv")
    for periods in range(1, 5):
        end, _, _ = run(scene, *command, out="at.csv")
        scene = "at.csv"
        sides = [math.dist(end[i].x, end[j].x) for i, j in ((0, 1), (1, 2), (2, 0))]
        mean = sum(sides) / 3
        deviation = math.sqrt(sum((s - mean) ** 2 for s in sides)) / mean
        rate = math.log(deviation / last) / (2 * math.pi) if last else None
        case.rows.append([periods, f"{deviation:.3e}", f"{rate:.6f}" if rate else ""])
        if periods in (3, 4):
            case.expect("growth rate", rate, 0.9998 * exact, 1.0002 * exact)
        last = deviation
    return case


# integrator, steps per period, expected power of dt of the energy and of the phase
KEPLER = (("taylor", (4000, ), None), ("leapfrog", (2000, 4000), 2), ("leapfrog-dkd", (2000, 4000), 2),
          ("forest-ruth", (1000, 2000), 4), ("yoshida4", (1000, 2000), 4), ("yoshida6", (500, 1000), 6),
          ("hermite4", (4000, 8000), 4), ("hermite4-block", (16, ), None))


def kepler():
    orbits = 2 if program.quick else 1000
    e, a = 0.9, 1.0
    case = Case(f"Kepler ellipse of eccentricity 0.9, {orbits} orbits",
                "Two equal masses, G M = 1, a = 1, from apocentre. Energy: the largest |ΔE/E| at times that are "
                "spread over all phases. Phase: the angle between the bodies' position after the last orbit and "
                "where they began; for symplectic schemes it is the precession of the ellipse. A scheme of order p "
                "must show dt^p in both (Hairer, Lubich and Wanner, Geometric Numerical Integration, 2006); "
                "`hermite4` is not symplectic, and its energy drifts. `taylor`, of order 1, loses the orbit, and is"
                " listed for that.",
                ["integrator", "steps per orbit", "\\|ΔE/E\\|", "power of dt", "phase (rad)", "power of dt"])
    speed = math.sqrt((1 - e) / (1 + e))
    write("kepler.csv", [Body(0.5, [s * (1 + e) / 2, 0, 0], [0, s * speed / 2, 0]) for s in (1, -1)])
    for integrator, counts, order in KEPLER:
        block = integrator.endswith("block")
        if program.quick and order is None and not block:
            continue
        errors, phases, steps_used = [], [], []
        for setting in ((0.02, 0.005) if block else counts):
            steps = 16 if block else setting
            extra = ("--adaptive", setting) if block else ()
            dt = 2 * math.pi / steps
            command = ("kepler.csv", "--integrator", integrator, *extra, "--dt", repr(dt), "--steps", steps * orbits,
                       "--precision", "double", "--threads", 1)
            every = max(1, int(0.0002618 * max(orbits, 20) * steps))  # no simple fraction of an orbit: samples all phases
            end, _, _ = run(*command, "--diagnostics", "table.csv", "--diagnostics-every", every)
            total = program.table("table.csv")["total"]
            errors.append(max(abs(t / total[0] - 1) for t in total))
            phases.append(abs(math.atan2(end[0].x[1], end[0].x[0])))
            steps_used.append(f"η = {setting}" if block else str(setting))
        case.commands.append("orrery run " + " ".join(map(str, command)) + " -o end.csv")
        widths = (0.02, 0.005) if block else [1 / n for n in counts]
        of_energy = of_phase = None
        if order is not None:
            of_energy, of_phase = power(widths, errors), power(widths, phases)
            case.expect(f"{integrator}: power of dt in the energy", of_energy, order - 0.4, order + 1.6)
            case.expect(f"{integrator}: power of dt in the phase", of_phase, order - 0.4, order + 1.6)
        for i, name in enumerate(steps_used):
            last = i == len(steps_used) - 1
            case.rows.append([f"`{integrator}`" if i == 0 else "", name, f"{errors[i]:.1e}",
                              f"{of_energy:.2f}" if last and of_energy else "",
                              f"{phases[i]:.1e}" if errors[i] < 0.5 else "lost",
                              f"{of_phase:.2f}" if last and of_phase else ""])
    return case
