#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a model of a spiral galaxy as CSV, with the fields that pictures of light, dust and gas need: docs/galaxy.py
> galaxy.csv. kpc, km/s, solar masses. Not in equilibrium: bodies have circular velocities.

An exponential disc of stars (4.5e10 solar masses, scale length 2.6 kpc) with two arms of young stars, a bulge of old
ones, and gas (7e9 solar masses) that follows the arms, hotter where it is thin."""
import math
import random

STARS, BULGE, GAS = 60000, 15000, 40000
PITCH, ARMS = math.radians(17), 2
KPC2_PER_MSUN = 216.4 * 1.98841e33 / 3.0857e21**2  # opacity of gas of solar metallicity (Bohlin et al. 1978)
draw = random.Random(4)


def radius(scale):
    """Of an exponential disc: surface density ~ exp(-r / scale)."""
    return draw.gammavariate(2, scale)


def arm(r, width):
    """An azimuth near an arm, a logarithmic spiral."""
    turn = math.log(max(r, 0.5)) / math.tan(PITCH) + 2 * math.pi * draw.randrange(ARMS) / ARMS
    return turn + draw.gauss(0, width / (1 + 0.12 * r))


def metals(r):
    return 0.02 * 10 ** (-0.05 * (r - 2) + draw.gauss(0, 0.08))


def row(species, mass, r, azimuth, z, length="", temperature="", age="", metal=0.0, dust=0.0):
    speed = 220 * r / math.hypot(r, 1.5)
    x, y = r * math.cos(azimuth), r * math.sin(azimuth)
    print(f"{mass:.6g},{x:.5f},{y:.5f},{z:.5f},{-speed * y / (r + 1e-9):.3f},{speed * x / (r + 1e-9):.3f},0,{species},"
          f"{length},{temperature},{age},{metal:.5f},{dust:.6g}")


print("# orrery: G=4.30091e-6 softening=0.1 time=0 days_per_time=357138410000 length_unit=kpc mass_unit=M☉")
print("m,x,y,z,vx,vy,vz,species,SmoothingLength,Temperature [K],age_Gyr,Metallicity,dust")
for _ in range(STARS):
    r = radius(2.6)
    young = draw.random() < 0.06
    age = draw.uniform(0.005, 0.15) if young else draw.uniform(0.15, 10)
    height = 0.06 if young else 0.1 + 0.03 * age
    row("stars", 4.5e10 / STARS, r, arm(r, 0.25) if young else draw.uniform(0, 2 * math.pi),
        draw.gauss(0, height), age=f"{age:.4f}", metal=metals(r))
for _ in range(BULGE):
    away, up = 0.7 * draw.random() ** 0.5 / (1.02 - draw.random()) ** 0.5, draw.uniform(-1, 1)
    away = min(away, 6)
    row("bulge", 1.2e10 / BULGE, away * math.sqrt(1 - up * up), draw.uniform(0, 2 * math.pi), 0.7 * away * up,
        age=f"{draw.uniform(8, 12):.4f}", metal=0.025)
for _ in range(GAS):
    r = radius(4)
    in_arm = draw.random() < 0.6
    thin = draw.random() < 0.1
    mass, metal = 7e9 / GAS, metals(r)
    azimuth = arm(r, 0.22) - 0.12 if in_arm else draw.uniform(0, 2 * math.pi)
    temperature = 10 ** (draw.gauss(6, 0.25) if thin else draw.gauss(4 if in_arm else 4.5, 0.3) - 0.02 * r)
    row("gas", mass, r, azimuth, draw.gauss(0, 1.2 if thin else 0.07), length=f"{(0.9 if thin else 0.22) * (1 + 0.12 * r):.4f}",
        temperature=f"{temperature:.4g}", metal=metal, dust=0 if thin else KPC2_PER_MSUN * mass * metal / 0.0134)
