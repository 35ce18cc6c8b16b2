// Finite numbers, and norms without overflow.

// By the exponent: compilers may assume that arithmetic gives no NaN.
bool is_finite(Vec4 v) {
#if DOUBLE
    uvec2 x = unpackDouble2x32(v.x), y = unpackDouble2x32(v.y), z = unpackDouble2x32(v.z);
    uvec3 high = uvec3(x.y, y.y, z.y);
    return all(notEqual(high & 0x7ff00000u, uvec3(0x7ff00000u)));
#else
    return all(notEqual(floatBitsToUint(v.xyz) & 0x7f800000u, uvec3(0x7f800000u)));
#endif
}

// |v|, which does not overflow if the components do not.
Real norm_of(Vec3 v) {
    Vec3 a = abs(v);
    Real most_of_all = max(a.x, max(a.y, a.z));
    if (!(most_of_all > Real(0))) return a.x + a.y + a.z;
    a /= most_of_all;
    return most_of_all * sqrt(dot(a, a));
}
