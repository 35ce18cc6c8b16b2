// The interaction of a pair: core/physics/gravity.hpp and pair_law.hpp. Defines: DOUBLE; SOFTENED 0: two bodies may be
// at distance 0; POTENTIAL; SPLIT 1: a position is the sum of two floats; LAW: the number of the PairLaw, 0 is gravity.
// Needs softening2, h, per_h, sigma2, cut_off2 (0: none) and cut_energy from the arguments.

Vec3 difference(Vec4 other, Vec4 self, Vec4 other_low, Vec4 self_low) {
#if SPLIT
    precise Vec3 high = other.xyz - self.xyz;
    precise Vec3 low = other_low.xyz - self_low.xyz;
    return high + low;
#else
    return other.xyz - self.xyz;
#endif
}

// 1/√distance2; 0 for a pair that is skipped. In double, inverse_cube() and exact_rsqrt() correct its last bits.
Real pair_rsqrt(Real distance2) {
#if SOFTENED
    return inversesqrt(distance2);
#else
    return distance2 > kTouching ? inversesqrt(distance2) : Real(0);
#endif
}

// distance2^(-3/2). y = (1 − δ)/√D has the residual e = 1 − D·y²; D^(-3/2) = y³ (1 + 3/2 e + 15/8 e² + …).
Real inverse_cube(Real distance2, Real y) {
#if DOUBLE
    Real y2 = y * y, raw = y * y2;
    Real e = fma(-distance2, y2, 1.0LF);
    return fma(raw, e * fma(1.875LF, e, 1.5LF), raw);
#else
    return y * (y * y);
#endif
}

Real exact_rsqrt(Real distance2, Real y) {
#if DOUBLE
    Real e = fma(-distance2, y * y, 1.0LF);
    return fma(y * e, fma(0.375LF, e, 0.5LF), y);
#else
    return y;
#endif
}

Real square(Vec3 d, Real added) { return fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, added))); }

#if LAW
// x: attraction divided by the distance, y: minus the energy, of two bodies of these strengths. With the spline both
// must still be multiplied by the strength of the attracting body.
struct Term {
    Real pull, depth;
};

Term pair_term(Vec3 d, Real one, Real other) {
    Real r2 = square(d, Real(0));
    if (!(r2 > kTouching)) return Term(Real(0), Real(0));
    Real distance2 = r2 + softening2;
    Real y = exact_rsqrt(distance2, inversesqrt(distance2));
#if LAW == 1
    Real u = distance2 * y * per_h;
    if (h == Real(0) || !(u < Real(1))) return Term(y * y * y, y);
    Real u2 = u * u, per_h3 = per_h * per_h * per_h;
    if (u < Real(0.5))
        return Term(per_h3 * (Real(32) / Real(3) + u2 * (Real(32) * u - (Real(192) / Real(5)))),
                    per_h * ((Real(14) / Real(5)) - u2 * (Real(16) / Real(3) + u2 * ((Real(32) / Real(5)) * u - (Real(48) / Real(5))))));
    Real per_u = h * y, part = per_u / Real(15);
    return Term(per_h3 * (Real(64) / Real(3) - u * (Real(48) - u * ((Real(192) / Real(5)) - u * (Real(32) / Real(3)))) -
                          part * per_u * per_u),
                per_h * ((Real(16) / Real(5)) - part -
                         u2 * (Real(32) / Real(3) - u * (Real(16) - u * ((Real(48) / Real(5)) - u * (Real(32) / Real(15)))))));
#else
    Real product = one * other;
    if (product == Real(0)) return Term(Real(0), Real(0));
#if LAW == 2
    if (cut_off2 > Real(0) && !(distance2 < cut_off2)) return Term(Real(0), Real(0));
    Real y2 = y * y, q = sigma2 * y2, q3 = q * q * q;
    return Term(Real(24) * q3 * y2 * (Real(1) - Real(2) * q3), cut_energy - Real(4) * q3 * (q3 - Real(1)));
#else
    Real s2 = sigma2 * y * y, s4 = s2 * s2, repulsion = abs(product) * s4 * s4;
    return Term(-y * y * y * (product + repulsion), -y * (product + repulsion / Real(9)));
#endif
#endif
}
#endif

#ifdef KERNEL
#include "kernel"
#endif

#if LAW == 0 || LAW == 1
#define WEIGHT(strength) (strength)
#else
#define WEIGHT(strength) Real(1)
#endif

// Adds the pull of a body of strength `other` at distance d on a body of strength `own`; w: the potential, if `counts`.
// With KERNEL, the force is that of a kernel file: Vec2 pair(Real r2, Real own, Real other), pull and depth without G.
void add_pull(inout Vec4 sum, Vec3 d, Real own, Real other, bool counts) {
#ifdef KERNEL
    Real r2 = square(d, softening2);
    if (!counts) return;
#if !SOFTENED
    if (!(r2 > kTouching)) return;
#endif
    Vec2 term = pair(r2, own, other);
    sum.xyz = fma(Vec3(term.x), d, sum.xyz);
#if POTENTIAL
    sum.w += term.y;
#endif
#elif LAW
    Term term = pair_term(d, own, other);
    Real pull = WEIGHT(other) * term.pull;
    sum.xyz = fma(Vec3(pull), d, sum.xyz);
#if POTENTIAL
    sum.w = fma(WEIGHT(other), term.depth, sum.w);
#endif
#else
    Real distance2 = square(d, softening2);
    Real y = pair_rsqrt(distance2);
#if DOUBLE
    Real pull = other * inverse_cube(distance2, y);
#else
    Real pull = (other * y) * (y * y);
#endif
    sum.xyz = fma(Vec3(pull), d, sum.xyz);
#if POTENTIAL
    if (counts) sum.w = fma(other, exact_rsqrt(distance2, y), sum.w);
#endif
#endif
}
