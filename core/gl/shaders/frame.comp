// The vertices of a frame: positions, and in w the scalar for colours. Defines: DOUBLE, SCALAR: 0 none, 1 speed,
// 2 |acceleration|, 3 mass, 4 potential, 5 velocity along a line, 6 number of the tile, 7 a mark.
layout(local_size_x = 128) in;
#include "common.glsl"
layout(std140, binding = 0) uniform Arguments {
    uint count, side;  // side: bodies of a tile
    uint unused_0, unused_1;
    vec4 along;
};
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Velocities { Vec4 velocity[]; };
layout(std430, binding = 2) readonly buffer Accelerations { Vec4 acceleration[]; };
layout(std430, binding = 3) readonly buffer Marks { float marks[]; };
layout(std430, binding = 4) writeonly buffer Vertices { vec4 vertices[]; };

float norm_of(Vec3 v) { return float(sqrt(v.x * v.x + v.y * v.y + v.z * v.z)); }

void main() {
    uint i = thread_index();
    if (i >= count) return;
    Vec4 body = bodies[i];
    float scalar = 0.0;
#if SCALAR == 1
    scalar = norm_of(velocity[i].xyz);
#elif SCALAR == 2
    scalar = norm_of(acceleration[i].xyz);
#elif SCALAR == 3
    scalar = float(body.w);
#elif SCALAR == 4
    scalar = float(acceleration[i].w);
#elif SCALAR == 5
    scalar = float(dot(velocity[i].xyz, Vec3(along.xyz)));
#elif SCALAR == 6
    scalar = float(i / side);
#elif SCALAR == 7
    scalar = marks[i];
#endif
    vertices[i] = vec4(vec3(body.xyz), scalar);
}
