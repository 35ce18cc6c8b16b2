#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes core/physics/starlight_table.inc, the light of simple stellar populations in three bands, from the PARSEC
isochrones (Bressan et al. 2012, MNRAS 427, 127) in a copy of FSPS (Conroy, Gunn & White 2009, ApJ 699, 486; MIT
licence, https://github.com/cconroy20/fsps):

    bench/starlight.py FSPS > core/physics/starlight_table.inc

The stars of one solar mass formed by the initial mass function of Kroupa (2001, MNRAS 322, 231, eq. 2), from 0.1 to
100 solar masses, are black bodies seen through rectangular bands at the place of SDSS's i, r and g. Light is in units
of a black body of the Sun's temperature and luminosity in the same band, so the Sun is white. Real cool giants are
redder than black bodies."""
import math
import pathlib
import sys

METALS = (0.0002, 0.001, 0.004, 0.008, 0.014, 0.02, 0.04)
LOG_AGES = [6.1 + 0.2 * k for k in range(21)]  # of years
BANDS = ((695e-9, 845e-9), (555e-9, 695e-9), (405e-9, 545e-9))  # i, r, g in m: half-maximum (Fukugita et al. 1996)
SUN = 5772.0  # K, IAU 2015
LEAST, MOST = 0.1, 100.0  # solar masses


def planck_share(t, band):
    """The share of a black body's light in a band, by Simpson's rule."""
    low, high = band
    steps = 40

    def shine(wave):
        x = 0.014387768775 / (wave * t)
        return 0 if x > 700 else 1 / (wave**5 * math.expm1(x))

    total = sum((1 if k in (0, steps) else 4 if k % 2 else 2) * shine(low + (high - low) * k / steps)
                for k in range(steps + 1))
    return total * (high - low) / steps / 3 / t**4


def stars(low, high):
    """Number of stars between two masses, up to a factor: dN/dm ~ m^-1.3 below 0.5 and m^-2.3 above."""
    def upto(m):
        return m**-0.3 / -0.3 if m < 0.5 else 0.5**-0.3 / -0.3 + 0.5 * (m**-1.3 - 0.5**-1.3) / -1.3
    return upto(high) - upto(low)


def mass_formed():
    def upto(m):
        return m**0.7 / 0.7 if m < 0.5 else 0.5**0.7 / 0.7 + 0.5 * (m**-0.3 - 0.5**-0.3) / -0.3
    return upto(MOST) - upto(LEAST)


def light(rows, solar):
    rows.sort(key=lambda row: row[0])
    sums = [0.0] * len(BANDS)
    for k, (mass, log_light, log_t) in enumerate(rows):
        low = LEAST if k == 0 else (rows[k - 1][0] + mass) / 2
        high = mass if k == len(rows) - 1 else (rows[k + 1][0] + mass) / 2
        number = stars(*(min(max(edge, LEAST), MOST) for edge in (low, high)))
        for b, band in enumerate(BANDS):
            sums[b] += number * 10**log_light * planck_share(10**log_t, band) / solar[b]
    return [math.log10(total / mass_formed()) for total in sums]


def main():
    folder = pathlib.Path(sys.argv[1]) / "ISOCHRONES" / "PARSEC"
    solar = [planck_share(SUN, band) for band in BANDS]
    print("// Made by bench/starlight.py: log10 of the light in i, r, g of a solar mass formed, per age, per metallicity.")
    for metals in METALS:
        by_age = {}
        for line in (folder / f"isoc_z{metals:.4f}.dat").read_text().splitlines():
            if not line.startswith("#"):
                age, mass, _, log_light, log_t = (float(word) for word in line.split()[:5])
                by_age.setdefault(round(age, 2), []).append((mass, log_light, log_t))
        print(f"// Z = {metals}")
        for log_age in LOG_AGES:
            numbers = light(by_age[round(log_age, 2)], solar)
            print("{" + ", ".join(f"{x:.3f}f" for x in numbers) + "},")


main()
