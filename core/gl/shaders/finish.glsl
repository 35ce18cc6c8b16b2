// The acceleration of a body from the sum over its pairs, with the potential in w. Needs the arguments.
Vec4 finished(Vec4 sum, Real mass) {
    Real scale = law == 0u || law == 1u ? constant : constant / mass;
    return Vec4(scale * sum.xyz, -scale * sum.w);
}
