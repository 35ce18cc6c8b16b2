# SPDX-License-Identifier: MIT
"""Planar three-body motion by Taylor series in decimal arithmetic: slow, but far more accurate than double."""
from decimal import Decimal, localcontext


def integrate(masses, positions, velocities, until, digits=36, order=28):
    """Positions and velocities (lists of [x, y], floats) at time `until`; G = 1, no softening."""
    with localcontext() as context:
        context.prec = digits
        tolerance = Decimal(10) ** -(digits - 10)
        m = [Decimal(n) for n in masses]
        x, v = ([[Decimal(n) for n in p] for p in each] for each in (positions, velocities))
        t, end = Decimal(0), Decimal(until)
        while t < end:
            series, relative, distance2 = coefficients(m, x, v, order)
            step = end - t
            for pair, (dx, dy) in relative.items():
                for last in (order, order + 1):  # both, as one of them may vanish
                    largest = max(abs(dx[last]), abs(dy[last]))
                    if largest:
                        step = min(step, (tolerance * distance2[pair].sqrt() / largest) ** (1 / Decimal(last)))
            for body, coordinates in enumerate(series):
                for c, terms in enumerate(coordinates):
                    place, speed = Decimal(0), Decimal(0)
                    for k in range(len(terms) - 1, 0, -1):  # Horner's scheme
                        place, speed = (place + terms[k]) * step, speed * step + k * terms[k]
                    x[body][c] += place
                    v[body][c] = speed
            t += step
        return ([[float(n) for n in p] for p in each] for each in (x, v))


def coefficients(m, x, v, order):
    """Taylor coefficients of each coordinate and of the pairs' differences, and the squared distances."""
    bodies = range(len(m))
    series = [[[x[i][c], v[i][c]] for c in (0, 1)] for i in bodies]
    pairs = [(i, j) for i in bodies for j in range(i)]
    relative = {(i, j): [[series[i][c][k] - series[j][c][k] for k in (0, 1)] for c in (0, 1)] for i, j in pairs}
    squares, cubes = ({pair: [] for pair in pairs} for _ in range(2))  # r² and r⁻³
    for k in range(order):
        pull = [[Decimal(0), Decimal(0)] for _ in bodies]
        for i, j in pairs:
            dx, dy = relative[i, j]
            r2, s = squares[i, j], cubes[i, j]
            r2.append(sum(dx[a] * dx[k - a] + dy[a] * dy[k - a] for a in range(k + 1)))
            if k == 0:
                s.append(1 / (r2[0] * r2[0].sqrt()))
            else:
                s.append(sum((Decimal(-3) / 2 * (k - a) - a) * s[a] * r2[k - a] for a in range(k)) / (k * r2[0]))
            for c, d in enumerate((dx, dy)):
                force = sum(s[a] * d[k - a] for a in range(k + 1))
                pull[i][c] -= m[j] * force
                pull[j][c] += m[i] * force
        for i in bodies:
            for c in (0, 1):
                series[i][c].append(pull[i][c] / ((k + 1) * (k + 2)))
        for i, j in pairs:
            for c in (0, 1):
                relative[i, j][c].append(series[i][c][k + 2] - series[j][c][k + 2])
    return series, relative, {pair: squares[pair][0] for pair in pairs}
