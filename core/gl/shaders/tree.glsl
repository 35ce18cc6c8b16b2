// The arguments of the tree's shaders: struct TreeArguments of core/engines/gl/tree_build.hpp. The tree's units are
// powers of two of the scene's: the largest coordinate and the mass of all bodies are about 1.
layout(std140, binding = 0) uniform Arguments {
    uint count;        // bodies, or entries of a scan
    uint first, last;  // a range of cells or groups
    uint leaf;         // the most bodies of a leaf
    uint most;         // bodies of a group
    uint digit;        // of the keys, 0 … 7 from the lowest
    uint blocks;       // work groups of the sort, or of the count of cells
    uint first_group;  // of this dispatch: long ones are cut
    Real low_x, low_y, low_z, cells_per_length;  // grid of the keys, in the scene's units
    Real per_length, per_mass;                   // the tree's units per unit of the scene
    Real softening2, blur;                       // in the tree's units; blur: uncertainty of positions
    Real parameter;                              // θ or α of the acceptance criterion
    Real norm_unit;                              // converts |acceleration| to the tree's units
    Real mean_norm;                              // of all bodies, in the tree's units
    Real heavy;                                  // mass of a heavy body, in the tree's units
    Real to_scene, potential;                    // the tree's units in units of the scene, times G
    Real unused_1, unused_2;
};

uint group_number() { return first_group + group_index(); }
uint item_index() { return group_number() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }

// Records of the tree in memory. Cells are stored level by level, within a level along the curve.
const uint kLeaf = 0x80000000u;
const uint kTreeLevels = 22u;  // the root's level is 0; a cell of the last level is a leaf, however many bodies it has

struct Cell {
    Vec4 centre;             // of mass; w: the mass
    Real threshold, extent;  // of the acceptance criterion; longest side of the tight bounding box
    uint first, count;       // children; of a leaf, bodies, with the bit kLeaf in `count`
};
struct Shape {
    Vec4 low, high;  // corners of the tight bounding box
    Vec4 q0, q1;     // quadrupole: xx yy zz xy, xz yz, 0, 0
};
struct Group {
    Vec4 middle, extent;  // of its box: the middle, half the sides; middle.w: reference acceleration
    uint first, count;    // bodies
    uint with_bodies, with_cells;  // interactions of each of its bodies
};
