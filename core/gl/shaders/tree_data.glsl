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
