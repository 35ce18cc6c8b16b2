// The walk of one group of bodies by a work group: families of cells are taken from a stack, one child per thread, and
// tested against the group's box. Accepted cells and opened leaves are appended to lists, at places that follow from
// the numbers of the threads, so that sums are the same on every run; full lists are evaluated by threads that each
// have a body of the group and a share of the list. Defines: THREADS, ESTIMATE 1: only
// |acceleration|, those of pair.glsl (LAW 0) and tree_build.comp:moments.
layout(local_size_x = THREADS) in;
#include "common.glsl"
#include "numbers.glsl"
#include "tree.glsl"
#include "pair.glsl"
layout(std430, binding = 0) readonly buffer Bodies { Vec4 bodies[]; };
layout(std430, binding = 1) readonly buffer Cells { Cell cells[]; };
layout(std430, binding = 2) readonly buffer Shapes { Shape shapes[]; };
layout(std430, binding = 3) buffer Groups { Group groups[]; };
layout(std430, binding = 4) readonly buffer Order { uint order[]; };
#if ESTIMATE
layout(std430, binding = 5) writeonly buffer Norms { Real norms[]; };
#else
layout(std430, binding = 5) writeonly buffer Accelerations { Vec4 acceleration[]; };
#endif
#if SPLIT
layout(std430, binding = 6) readonly buffer Low { Vec4 low[]; };
#endif

const uint kWords = THREADS / 32u, kFamilies = THREADS / 8u;
// A family is replaced by at most eight. As many are taken as leave the stack within kFull entries; beyond these only
// one at a time, so that at most seven are added per level.
const uint kFull = 1024u + 7u * kFamilies, kRoom = kFull + 7u + 7u * kTreeLevels;
// Lists are evaluated from these lengths on; one step adds at most an entry per thread. In double precision the longer
// list would exceed the 32 KiB of shared memory that every driver has.
const uint kCells = DOUBLE != 0 ? 64u : 128u, kRanges = 64u;
shared uint stack[kRoom];  // first cell, and from bit 29 on the number of cells less one
// Accepted cells: what Cell and Shape have of them.
shared Vec4 cell_centre[kCells + THREADS];
#if POTENTIAL
shared Real cell_extent[kCells + THREADS];
#endif
#if ORDER == 2
shared Vec4 cell_q0[kCells + THREADS];
shared Vec2 cell_q1[kCells + THREADS];
#endif
shared uvec2 range_list[kRanges + THREADS];  // first body and number of bodies
shared uint masks[3u * kWords];              // threads whose cell is accepted, an opened leaf, another opened cell
shared uint with_bodies;
shared uint range_end[kRanges + THREADS];  // number of bodies of a range and those before it
// Bodies of the ranges, and at the end the sums of the threads.
shared Vec4 tile[THREADS];
#if SPLIT
shared Vec4 tile_low[THREADS];
#endif
#if POTENTIAL
shared uint tile_index[THREADS];
#endif

struct Row {
    Vec4 self, self_low;
    uint at;
};

bool accepts(Cell cell, uint at, Vec3 middle, Vec3 extent, Real reference) {
    Vec3 off = max(abs(cell.centre.xyz - middle) - extent, Vec3(0));
    Real d2 = dot(off, off);
#if RELATIVE
    Real d4 = d2 * d2;
#if ORDER == 2
    d4 *= sqrt(d2);
#endif
    if (!(d4 * reference >= cell.threshold)) return false;
    if (max(off.x, max(off.y, off.z)) >= cell.extent) return true;
    // A cell that contains bodies of the group is opened.
    Vec3 nearest = clamp(middle, shapes[at].low.xyz, shapes[at].high.xyz);
    return any(greaterThan(abs(nearest - middle), extent));
#else
    return d2 >= cell.threshold * cell.threshold;
#endif
}

void add_cell(inout Vec4 sum, uint listed, Row row) {
    Vec4 centre = cell_centre[listed];
    Vec3 d = centre.xyz - row.self.xyz;
#if POTENTIAL
    // A row at the place of a cell whose bodies all coincide is one of them.
    Real mass_in_potential = centre.w;
    if (!(cell_extent[listed] > Real(0)) && d == Vec3(0)) mass_in_potential -= row.self.w;
#endif
    Real distance2 = square(d, softening2), y = pair_rsqrt(distance2);
    sum.xyz = fma(Vec3(centre.w * inverse_cube(distance2, y)), d, sum.xyz);
#if POTENTIAL || ORDER == 2
    y = exact_rsqrt(distance2, y);
#endif
#if POTENTIAL
    sum.w += mass_in_potential * y;
#endif
#if ORDER == 2
    // add_quadrupole() of core/physics/multipole.hpp with the quadrupole divided by the squared distance and the
    // direction d·y, so that no fifth power of a short distance overflows.
    Real y2 = y * y;
    Vec4 q0 = y2 * cell_q0[listed];
    Vec2 q1 = y2 * cell_q1[listed];
    Vec3 u = y * d;
    Vec3 q = Vec3(dot(Vec3(q0.x, q0.w, q1.x), u), dot(Vec3(q0.w, q0.y, q1.y), u), dot(Vec3(q1.x, q1.y, q0.z), u));
    Real p = dot(q, u), trace = q0.x + q0.y + q0.z;
    sum.xyz += y2 * ((Real(2.5) * p - Real(0.5) * trace) * u - q);
#if POTENTIAL
    sum.w += (Real(0.5) * p - trace / Real(6)) * y;
#endif
#endif
}

// Each thread has two bodies of the group, so that an entry of a list is read once for both, and the share `part` of
// `parts` of the lists.
struct Rows {
    Row one, two;
    uint part, parts;
    bool busy;
};
struct Totals {
    Vec4 one, two;
};

void add_cells(inout Totals total, uint listed, Rows rows) {
    Totals sum = Totals(Vec4(0), Vec4(0));
    for (uint k = rows.part; k < listed; k += rows.parts) {
        add_cell(sum.one, k, rows.one);
        add_cell(sum.two, k, rows.two);
    }
    total.one += sum.one, total.two += sum.two;
}

void add_body(inout Vec4 sum, uint k, Vec4 other, Vec4 other_low, Row row) {
#if POTENTIAL
    bool counts = tile_index[k] != row.at;
#else
    bool counts = true;  // the pull on itself is 0
#endif
    add_pull(sum, difference(other, row.self, other_low, row.self_low), row.self.w, other.w, counts);
}

// Prefix sums of the numbers of bodies of the ranges, in range_end; returns the sum of all.
uint number_bodies(uint listed) {
    for (uint k = gl_LocalInvocationID.x; k < listed; k += THREADS) range_end[k] = range_list[k].y;
    for (uint step = 1u; step < listed; step *= 2u) {
        barrier();
        uint added[(kRanges + THREADS - 1u) / THREADS + 1u];
        uint turn = 0u;
        for (uint k = gl_LocalInvocationID.x; k < listed; k += THREADS) added[turn++] = k >= step ? range_end[k - step] : 0u;
        barrier();
        turn = 0u;
        for (uint k = gl_LocalInvocationID.x; k < listed; k += THREADS) range_end[k] += added[turn++];
    }
    barrier();
    return range_end[listed - 1u];
}

// All threads bring the bodies to shared memory, a tile at a time.
void add_ranges(inout Totals total, uint listed, Rows rows) {
    uint lane = gl_LocalInvocationID.x, all = listed > 0u ? number_bodies(listed) : 0u;
    Totals sum = Totals(Vec4(0), Vec4(0));
    for (uint first_of_tile = 0u; first_of_tile < all; first_of_tile += THREADS) {
        uint number = first_of_tile + lane, in_tile = min(all - first_of_tile, THREADS);
        if (lane < in_tile) {
            uint low_range = 0u, high_range = listed - 1u;  // the first range that ends behind the body
            while (low_range < high_range) {
                uint middle = (low_range + high_range) / 2u;
                if (range_end[middle] > number) high_range = middle;
                else low_range = middle + 1u;
            }
            uvec2 range = range_list[low_range];
            uint i = range.x + range.y - (range_end[low_range] - number);
            tile[lane] = bodies[i];
#if SPLIT
            tile_low[lane] = low[i];
#endif
#if POTENTIAL
            tile_index[lane] = i;
#endif
        }
        barrier();
        if (rows.busy)
            for (uint k = rows.part; k < in_tile; k += rows.parts) {
#if SPLIT
                Vec4 other_low = tile_low[k];
#else
                Vec4 other_low = Vec4(0);
#endif
                add_body(sum.one, k, tile[k], other_low, rows.one);
                add_body(sum.two, k, tile[k], other_low, rows.two);
            }
        barrier();
    }
    total.one += sum.one, total.two += sum.two;
}

uint packed_family(uvec2 cells_of) { return cells_of.x | (cells_of.y - 1u) << 29u; }

// The number of threads before this one in a mask; adds the number of all to `all`.
uint rank_in(uint mask, inout uint all) {
    uint lane = gl_LocalInvocationID.x, rank = 0u;
    for (uint word = 0u; word < kWords; ++word) {
        uint bits = masks[mask * kWords + word];
        all += uint(bitCount(bits));
        if (word < lane / 32u) rank += uint(bitCount(bits));
        if (word == lane / 32u) rank += uint(bitCount(bits & ((1u << lane % 32u) - 1u)));
    }
    return rank;
}

Row row_at(uint at) {
    Row row;
    row.at = at, row.self = bodies[at];
#if SPLIT
    row.self_low = low[at];
#else
    row.self_low = Vec4(0);
#endif
    return row;
}

// The sum of the parts of each row, in the threads of part 0.
Vec4 sum_of_parts(Vec4 total, Rows rows, uint pairs) {
    barrier();
    tile[gl_LocalInvocationID.x] = total;
    barrier();
    for (uint other = 1u; other < rows.parts && rows.part == 0u; ++other)
        total += tile[other * pairs + gl_LocalInvocationID.x];
    return total;
}

void store(Vec4 total, Row row) {
#if ESTIMATE
    norms[row.at] = norm_of(total.xyz);
#else
    acceleration[order[row.at]] = Vec4(to_scene * total.xyz, -potential * total.w);
#endif
}

void main() {
    uint number = first + group_index();
    if (number >= last) return;
    uint lane = gl_LocalInvocationID.x;
    Vec4 middle = groups[number].middle, extent = groups[number].extent;
    uint first_row = groups[number].first, count_of_rows = groups[number].count, pairs = (count_of_rows + 1u) / 2u;
    uint last_row = first_row + count_of_rows - 1u, own = first_row + lane % pairs;
    Rows rows = Rows(row_at(own), row_at(min(own + pairs, last_row)), lane / pairs, THREADS / pairs, false);
    rows.busy = rows.part < rows.parts;
    Totals total = Totals(Vec4(0), Vec4(0));
    uint waiting = 1u, listed_cells = 0u, listed_ranges = 0u, with_cells = 0u;
    if (lane == 0u) {
        Cell root = cells[0];  // always opened
        stack[0] = (root.count & kLeaf) != 0u ? 0u : packed_family(uvec2(root.first, root.count));
        with_bodies = 0u;
    }
    barrier();
    while (waiting > 0u) {
        uint take = min(min(waiting, kFamilies), waiting + 7u <= kFull ? (kFull - waiting) / 7u : 1u);
        uint top = stack[waiting - 1u - min(lane / 8u, take - 1u)];
        uvec2 family = uvec2(top & 0x1fffffffu, (top >> 29u) + 1u);
        if (lane < 3u * kWords) masks[lane] = 0u;
        barrier();
        uint outcome = 3u, at = family.x + lane % 8u;
        uvec2 opened = uvec2(0u);
        Vec4 centre = Vec4(0);
        Real extent_of = Real(0);
        if (lane / 8u < take && lane % 8u < family.y) {
            Cell cell = cells[at];
            centre = cell.centre, extent_of = cell.extent;
            opened = uvec2(cell.first, cell.count & ~kLeaf);
            outcome = accepts(cell, at, middle.xyz, extent.xyz, middle.w) ? 0u : (cell.count & kLeaf) != 0u ? 1u : 2u;
            atomicOr(masks[outcome * kWords + lane / 32u], 1u << lane % 32u);
            if (outcome == 1u) atomicAdd(with_bodies, opened.y);
        }
        waiting -= take;
        barrier();
        uint accepted = 0u, place;
        place = listed_cells + rank_in(0u, accepted);
        if (outcome == 0u) {
            cell_centre[place] = centre;
#if POTENTIAL
            cell_extent[place] = extent_of;
#endif
#if ORDER == 2
            cell_q0[place] = shapes[at].q0;
            cell_q1[place] = shapes[at].q1.xy;
#endif
        }
        listed_cells += accepted, with_cells += accepted;
        uint ranges = 0u;
        place = listed_ranges + rank_in(1u, ranges);
        if (outcome == 1u) range_list[place] = opened;
        listed_ranges += ranges;
        uint more = 0u;
        place = waiting + rank_in(2u, more);
        if (outcome == 2u) stack[place] = packed_family(opened);
        waiting += more;
        barrier();
        if (listed_cells >= kCells) {
            if (rows.busy) add_cells(total, listed_cells, rows);
            listed_cells = 0u;
        }
        if (listed_ranges >= kRanges) {
            add_ranges(total, listed_ranges, rows);
            listed_ranges = 0u;
        }
    }
    if (rows.busy) add_cells(total, listed_cells, rows);
    add_ranges(total, listed_ranges, rows);
    total.one = sum_of_parts(total.one, rows, pairs);
    total.two = sum_of_parts(total.two, rows, pairs);
    if (lane == 0u) groups[number].with_bodies = with_bodies, groups[number].with_cells = with_cells;
    if (rows.part != 0u) return;
    store(total.one, rows.one);
    if (own + pairs <= last_row) store(total.two, rows.two);
}
