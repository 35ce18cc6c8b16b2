//! title = Register-blocked loop
//! author = Orrery
//! kind = forces
//! language = glsl
//! threads = 64
//! rows = 256
// As the tiled loop, but every thread holds four bodies in registers, so that a body in shared memory is read once for
// four pairs.
const uint kThreads = 64u;
const int kRows = 4;
shared Vec4 tile_of_bodies[kThreads];

void forces(uint first) {
    uint own = first + gl_LocalInvocationID.x;
    Vec4 self[kRows], sum[kRows];
    for (int k = 0; k < kRows; ++k) {
        self[k] = bodies[min(own + uint(k) * kThreads, count - 1u)];
        sum[k] = Vec4(0);
    }
    for (uint begin = 0u; begin < count; begin += kThreads) {
        barrier();
        uint column = begin + gl_LocalInvocationID.x;
        tile_of_bodies[gl_LocalInvocationID.x] = column < count ? bodies[column] : Vec4(0);
        barrier();
        for (uint j = 0u; j < min(kThreads, count - begin); ++j) {
            Vec4 other = tile_of_bodies[j];
            for (int k = 0; k < kRows; ++k) {
                Vec3 d = other.xyz - self[k].xyz;
                Real r2 = dot(d, d) + softening2;
                bool counts = begin + j != own + uint(k) * kThreads && r2 > kTouching;
                Real y = counts ? inversesqrt(r2) : Real(0);
                sum[k] += other.w * y * Vec4(y * y * d, Real(1));
            }
        }
    }
    for (int k = 0; k < kRows; ++k) {
        uint i = own + uint(k) * kThreads;
        if (i < count) acceleration[i] = constant * Vec4(sum[k].xyz, -sum[k].w);
    }
}
