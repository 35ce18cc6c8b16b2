// Acceptance criteria: core/physics/opening.hpp. Defines: RELATIVE 0: geometric, with parameter θ; 1: relative, with α;
// ORDER.
Real threshold_of(Vec4 centre, Vec3 low, Vec3 high, Real extent) {
    if (!(extent > Real(0))) return Real(0);
#if RELATIVE
    const Real kLeast = Real(1.17549435e-38);  // 0 would mark the cell as exact
    if (!(centre.w > Real(0))) return Real(0);
#if ORDER == 2
    return max(centre.w * extent * extent * extent / parameter, kLeast);
#else
    return max(centre.w * extent * extent / parameter, kLeast);
#endif
#else
    const Real kFar = Real(3.4e38);
    if (!(extent < kFar / Real(4) * parameter)) return kFar;
    return extent / parameter + length(centre.xyz - Real(0.5) * (low + high));
#endif
}
