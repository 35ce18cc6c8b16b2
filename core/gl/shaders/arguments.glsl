// The arguments of engines of pairs: struct PairArguments of core/gl/arguments.hpp.
layout(std140, binding = 0) uniform Arguments {
    uint count;         // bodies
    uint first_item, last_item;
    uint splits;        // direct: of the columns
    uint tile_rows;     // half: tiles on a side of the triangle
    uint grid_x;        // half: blocks of the map's grid along x
    uint map, root;     // half: MapId and RootId
    uint window;        // half: items whose sums are kept at once
    uint first_window;  // half: 1 in the first window
    uint last_window;   // half: 1 in the last window
    uint law;           // the PairLaw
    uint equal_masses;  // half: use the mass of a tile if its bodies have the same
    uint balanced_side;  // half: side of the papers' balanced grid
    uint unused_1, unused_2;
    Real softening2, h, per_h, sigma2;
    Real cut_off2, cut_energy, constant, unused_3;
};
