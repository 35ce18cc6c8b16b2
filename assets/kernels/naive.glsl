//! title = Naive loop
//! author = Orrery
//! kind = forces
//! language = glsl
//! threads = 64
//! rows = 64
// Every thread computes one body in a loop over all bodies.
void forces(uint first) {
    uint i = first + gl_LocalInvocationID.x;
    if (i >= count) return;
    Vec4 self = bodies[i], sum = Vec4(0);
    for (uint j = 0u; j < count; ++j) {
        Vec4 other = bodies[j];
        Vec3 d = other.xyz - self.xyz;
        Real r2 = dot(d, d) + softening2;
        if (j == i || !(r2 > kTouching)) continue;
        Real y = Real(1) / sqrt(r2);
        sum += other.w * y * Vec4(y * y * d, Real(1));
    }
    acceleration[i] = constant * Vec4(sum.xyz, -sum.w);
}
