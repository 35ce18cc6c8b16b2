// Types in the engine's precision, and indices. Defines: DOUBLE 1, else 0.
#ifndef DOUBLE
#define DOUBLE 0
#endif
#if DOUBLE
#define Real double
#define Vec2 dvec2
#define Vec3 dvec3
#define Vec4 dvec4
const Real kTouching = 1e-200LF;
#else
#define Real float
#define Vec2 vec2
#define Vec3 vec3
#define Vec4 vec4
const Real kTouching = 1e-24;
#endif

// Index of the work group: Device::dispatch() continues long lines of groups along y.
uint group_index() { return gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x; }
uint thread_index() { return group_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }

// Adds with the rounding error of the sum kept in `low` (Kahan 1965, Comm. ACM 8, 40).
void add_compensated(inout Vec4 sum, inout Vec4 low, Vec4 term) {
    precise Vec4 change = term - low;
    precise Vec4 total = sum + change;
    precise Vec4 taken = total - sum;
    precise Vec4 error = taken - change;
    low = error;
    sum = total;
}
