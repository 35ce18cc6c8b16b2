//! title = Tiled loop
//! author = Orrery
//! kind = forces
//! language = glsl
//! threads = 128
//! rows = 128
// GPU Gems 3, chapter 31: the threads of a work group load a tile of bodies into shared memory together.
const uint kTile = 128u;
shared Vec4 tile_of_bodies[kTile];

void forces(uint first) {
    uint i = first + gl_LocalInvocationID.x;
    Vec4 self = bodies[min(i, count - 1u)], sum = Vec4(0);
    for (uint begin = 0u; begin < count; begin += kTile) {
        barrier();
        uint column = begin + gl_LocalInvocationID.x;
        tile_of_bodies[gl_LocalInvocationID.x] = column < count ? bodies[column] : Vec4(0);
        barrier();
        for (uint j = 0u; j < kTile; ++j) {
            Vec4 other = tile_of_bodies[j];
            Vec3 d = other.xyz - self.xyz;
            Real r2 = dot(d, d) + softening2;
            bool counts = begin + j != i && r2 > kTouching;
            Real y = counts ? inversesqrt(r2) : Real(0);
            sum += other.w * y * Vec4(y * y * d, Real(1));
        }
    }
    if (i < count) acceleration[i] = constant * Vec4(sum.xyz, -sum.w);
}
