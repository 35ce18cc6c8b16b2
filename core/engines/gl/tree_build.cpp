// SPDX-License-Identifier: MIT
#include "core/engines/gl/tree_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/engines/gl/pairs.hpp"
#include "core/physics/opening.hpp"

namespace orrery::gl {
namespace {

constexpr std::uint32_t kShortDigits = 2;  // that tree_sort_runs.comp sorts by
constexpr std::uint32_t kLeafBit = 1u << 31, kLevels = kKeyLevels + 1;
constexpr std::uint32_t kKeysOfBlock = 2048, kBodiesOfBlock = 256, kNumbersOfScan = 2048;  // of a work group
constexpr std::uint32_t kCellsOfBlock = 8, kGroupsOfBlock = 2;  // of tree_moments.comp, of tree_groups.comp
constexpr std::uint32_t kMostParts = 512, kBodiesOfPart = 64;   // work groups of tree_bounds.comp, and their threads
constexpr std::uint64_t kVectorsOfCell = 6;                     // of Cell and Shape together, each of four Reals

std::uint32_t groups_for(std::uint64_t count, std::uint32_t of_group) {
    return static_cast<std::uint32_t>((count + of_group - 1) / of_group);
}

/// Work groups of tree_bounds.comp that have bodies.
std::uint32_t parts_for(std::uint32_t count) { return std::min(kMostParts, groups_for(count, kBodiesOfPart)); }

/// The power of two that scales x into [1/2, 1); 1 if x is not positive.
template <class Real>
double per_unit(double x) {
    if (!(x > 0) || !std::isfinite(x)) return 1;
    int exponent = 0;
    std::frexp(x, &exponent);
    const int most = sizeof(Real) == 4 ? 120 : 1000;
    return std::ldexp(1.0, std::clamp(-exponent, -most, most));
}

template <class T>
std::vector<T> read_all(const Buffer& from, std::size_t count) {
    std::vector<T> all(count);
    from.read(std::as_writable_bytes(std::span{all}));
    return all;
}

/// Sums of the parts of tree_bounds.comp.
struct Bounds {
    Vec3d low{1, 1, 1}, high{-1, -1, -1};
    double mass = 0, mean_norm = 0;
    bool any = false;
};
template <class Real>
Bounds bounds_of(const Buffer& parts, std::uint32_t count) {
    Bounds all;
    double norms = 0;
    const std::vector<Vec4<Real>> read = read_all<Vec4<Real>>(parts, std::size_t{3} * count);
    for (std::size_t part = 0; part < count; ++part) {
        const Vec4d low = convert<double>(read[3 * part]), high = convert<double>(read[3 * part + 1]),
                    counts = convert<double>(read[3 * part + 2]);
        all.mass += low.w * counts.x;
        all.mean_norm += high.w * counts.y, norms += counts.y;
        if (!(low.x <= high.x)) continue;
        all.low = all.any ? Vec3d{std::min(all.low.x, low.x), std::min(all.low.y, low.y), std::min(all.low.z, low.z)}
                          : xyz(low);
        all.high = all.any
                       ? Vec3d{std::max(all.high.x, high.x), std::max(all.high.y, high.y), std::max(all.high.z, high.z)}
                       : xyz(high);
        all.any = true;
    }
    if (norms > 0) all.mean_norm /= norms;
    return all;
}

}  // namespace

std::string TreeCriterion::defines() const {
    return fmt::format("#define RELATIVE {}\n#define ORDER {}\n", relative ? 1 : 0, order);
}

template <class Real>
void TreeBuild<Real>::sort(const BodyView<Gl, Real>& bodies, double softening, double G, bool norms) {
    Device& device = Device::get();
    const std::uint64_t count = bodies.count;
    arguments_.count = static_cast<std::uint32_t>(count);
    for (int i = 0; i < 2; ++i) {
        keys_[static_cast<std::size_t>(i)].reserve(2 * count * sizeof(std::uint32_t));
        order_[static_cast<std::size_t>(i)].reserve(count * sizeof(std::uint32_t));
    }
    bodies_.reserve(count * sizeof(Vec4<Real>));
    norms_.reserve(count * sizeof(Real));
    if (bodies.low != 0) low_.reserve(count * sizeof(Vec4<Real>));
    parts_.reserve(3 * kMostParts * sizeof(Vec4<Real>));
    if (long_run_.bytes() == 0 || long_run_.stale()) {
        long_run_.reserve(sizeof(std::uint32_t));
        long_run_.clear();
    }
    find_units(bodies, softening, G, norms);
    dispatches_.run(device.program("tree_build.comp:keys", defines_of<Real>()),
                    {bodies.position_mass, keys_[0].name(), order_[0].name()}, arguments_,
                    groups_for(count, kBodiesOfBlock));
    sort_keys();
    const std::string defines = defines_of<Real>() + fmt::format("#define SPLIT {}\n#define NORMS {}\n",
                                                                 bodies.low != 0 ? 1 : 0, norms ? 1 : 0);
    dispatches_.run(device.program("tree_build.comp:gather", defines),
                    {bodies.position_mass, order_[0].name(), bodies_.name(), bodies.low, low_.name(),
                     bodies.acceleration, norms_.name()},
                    arguments_, groups_for(count, kBodiesOfBlock));
}

template <class Real>
void TreeBuild<Real>::find_units(const BodyView<Gl, Real>& bodies, double softening, double G, bool norms) {
    Device& device = Device::get();
    const std::string defines = defines_of<Real>() + fmt::format("#define NORMS {}\n", norms ? 1 : 0);
    device.dispatch(device.program("tree_build.comp:bounds", defines),
                    {bodies.position_mass, bodies.acceleration, parts_.name()}, arguments_,
                    parts_for(arguments_.count));
    const Bounds all = bounds_of<Real>(parts_, parts_for(arguments_.count));
    units_.low = {Real(all.low.x), Real(all.low.y), Real(all.low.z)};
    const Vec3d size = all.high - all.low;
    units_.side = all.any ? Real(std::max({size.x, size.y, size.z})) : Real(0);
    const KeyGrid<Real> grid = key_grid(units_.low, units_.side);
    arguments_.low_x = grid.low.x, arguments_.low_y = grid.low.y, arguments_.low_z = grid.low.z;
    arguments_.cells_per_length = grid.per_length;
    double farthest = 0;
    if (all.any)
        for (const double each : {all.low.x, all.low.y, all.low.z, all.high.x, all.high.y, all.high.z})
            farthest = std::max(farthest, std::abs(each));
    const double per_length = per_unit<Real>(farthest), per_mass = per_unit<Real>(all.mass);
    units_.acceleration = per_length * per_length / per_mass;
    units_.potential = per_length / per_mass;
    arguments_.per_length = static_cast<Real>(per_length), arguments_.per_mass = static_cast<Real>(per_mass);
    arguments_.softening2 = static_cast<Real>(softening * per_length * softening * per_length);
    // Cells are positioned without the low parts of their bodies; bodies that differ only in these do not coincide.
    arguments_.blur = bodies.low != 0 ? 4 * std::numeric_limits<Real>::epsilon() : Real(0);
    arguments_.norm_unit = norms ? static_cast<Real>(1 / (G * units_.acceleration)) : Real(0);
    arguments_.mean_norm = norms ? static_cast<Real>(all.mean_norm / (G * units_.acceleration)) : Real(0);
    arguments_.heavy = static_cast<Real>(heavy_from(all.mass * per_mass, static_cast<double>(bodies.count)));
}

template <class Real>
void TreeBuild<Real>::sort_keys() {
    Device& device = Device::get();
    const std::uint32_t blocks = groups_for(arguments_.count, kKeysOfBlock), counts = 256 * blocks;
    if (blocks <= 1)
        return device.dispatch(device.program("tree_sort.comp:few", ""), {keys_[0].name(), order_[0].name()},
                               TreeArguments<float>{.count = arguments_.count}, blocks);
    counts_.reserve(counts * sizeof(std::uint32_t));
    offsets_.reserve(counts * sizeof(std::uint32_t));
    const Program &count = device.program("tree_sort.comp:count_digits", ""),
                  &move = device.program("tree_sort.comp:move", "");
    TreeArguments<float> arguments{.count = arguments_.count, .blocks = blocks};
    for (std::uint32_t digit = long_runs_ ? 0 : kShortDigits; digit < 8; ++digit) {
        arguments.digit = digit;
        dispatches_.run(count, {keys_[0].name(), counts_.name()}, arguments, blocks);
        scan(counts_, counts, offsets_);
        dispatches_.run(move, {keys_[0].name(), order_[0].name(), offsets_.name(), keys_[1].name(), order_[1].name()},
                        arguments, blocks);
        std::swap(keys_[0], keys_[1]), std::swap(order_[0], order_[1]);
    }
    if (!long_runs_)
        dispatches_.run(device.program("tree_sort.comp:runs", ""),
                        {keys_[0].name(), order_[0].name(), long_run_.name()}, arguments,
                        groups_for(arguments_.count, kBodiesOfBlock));
}

/// Exclusive prefix sums.
template <class Real>
void TreeBuild<Real>::scan(const Buffer& from, std::uint64_t count, const Buffer& to) {
    Device& device = Device::get();
    const std::uint32_t groups = groups_for(count, kNumbersOfScan);
    scan_sums_.reserve(groups * sizeof(std::uint32_t));
    const TreeArguments<float> arguments{.count = static_cast<std::uint32_t>(count), .blocks = groups};
    for (int part = groups > 1 ? 0 : 2; part < 3; ++part)
        dispatches_.run(device.program("tree_sort.comp:scan", fmt::format("#define PART {}\n", part)),
                        {from.name(), scan_sums_.name(), to.name()}, arguments, part == 1 ? 1 : groups);
}

template <class Real>
bool TreeBuild<Real>::find_cells(int leaf) {
    Device& device = Device::get();
    TreeArguments<float> arguments{.count = arguments_.count, .leaf = static_cast<std::uint32_t>(leaf)};
    const std::uint32_t blocks = arguments.blocks = groups_for(arguments_.count + 1, kBodiesOfBlock);
    const std::uint64_t counts = kLevels * blocks + 1;
    counts_.reserve(counts * sizeof(std::uint32_t));
    offsets_.reserve(counts * sizeof(std::uint32_t));
    levels_.reserve((arguments_.count + std::uint64_t{1}) * sizeof(std::uint32_t));
    dispatches_.run(device.program("tree_build.comp:levels", ""), {keys_[0].name(), levels_.name(), counts_.name()},
                    arguments, blocks);
    scan(counts_, counts, offsets_);
    device.dispatch(device.program("tree_build.comp:starts", ""), {offsets_.name(), parts_.name(), long_run_.name()},
                    arguments, 1);
    level_start_ = read_all<std::uint32_t>(parts_, kLevels + 2);
    if (level_start_.back() != 0 && !long_runs_) {
        long_runs_ = true;
        return false;
    }
    level_start_.pop_back();
    // Empty levels have the number of all cells: keep only the first one.
    const auto end = std::ranges::find(level_start_, level_start_.back());
    level_start_.erase(end + 1, level_start_.end());
    const std::uint64_t cells = cell_count();
    begins_.reserve(cells * sizeof(Border)), ends_.reserve(cells * sizeof(Border));
    dispatches_.run(device.program("tree_build.comp:cells", ""),
                    {levels_.name(), offsets_.name(), begins_.name(), ends_.name()}, arguments, blocks);
    return true;
}

template <class Real>
void TreeBuild<Real>::fill_moments(const TreeCriterion& criterion, bool quadrupoles) {
    Device& device = Device::get();
    cells_.reserve(cell_count() * 2 * sizeof(Vec4<Real>)), shapes_.reserve(cell_count() * 4 * sizeof(Vec4<Real>));
    static_assert(kVectorsOfCell == 2 + 4);
    arguments_.parameter = static_cast<Real>(criterion.parameter);
    const Program& program = device.program(
        "tree_build.comp:moments", defines_of<Real>() + criterion.defines() +
                                       fmt::format("#define QUADRUPOLES {}\n#define AGAIN 0\n", quadrupoles ? 1 : 0));
    for (std::size_t level = level_start_.size() - 1; level-- > 0;) {
        arguments_.first = level_start_[level], arguments_.last = level_start_[level + 1];
        dispatches_.run(program, {bodies_.name(), begins_.name(), ends_.name(), cells_.name(), shapes_.name()},
                        arguments_, groups_for(arguments_.last - arguments_.first, kCellsOfBlock));
    }
}

template <class Real>
void TreeBuild<Real>::change_criterion(const TreeCriterion& criterion) {
    Device& device = Device::get();
    arguments_.parameter = static_cast<Real>(criterion.parameter);
    arguments_.first = 0, arguments_.last = cell_count();
    const std::string defines = defines_of<Real>() + criterion.defines() + "#define QUADRUPOLES 0\n#define AGAIN 1\n";
    dispatches_.run(device.program("tree_build.comp:moments", defines),
                    {bodies_.name(), begins_.name(), ends_.name(), cells_.name(), shapes_.name()}, arguments_,
                    groups_for(cell_count(), 64));
}

template <class Real>
void TreeBuild<Real>::find_groups(int most) {
    Device& device = Device::get();
    const std::uint32_t count = arguments_.count;
    const std::uint64_t bytes = (count + std::uint64_t{1}) * sizeof(std::uint32_t);
    groups_.marks.reserve(bytes), groups_.places.reserve(bytes), groups_.starts.reserve(bytes);
    groups_.marks.clear();
    const TreeArguments<float> arguments{
        .count = count, .last = cell_count(), .most = static_cast<std::uint32_t>(most)};
    dispatches_.run(device.program("tree_build.comp:group_marks", ""),
                    {begins_.name(), ends_.name(), groups_.marks.name()}, arguments, groups_for(cell_count(), 64));
    scan(groups_.marks, count + std::uint64_t{1}, groups_.places);
    dispatches_.run(device.program("tree_build.comp:group_starts", ""),
                    {groups_.marks.name(), groups_.places.name(), groups_.starts.name(), parts_.name()}, arguments,
                    groups_for(count + std::uint64_t{1}, kBodiesOfBlock));
    // Of a small buffer: drivers copy the whole one.
    parts_.read(std::as_writable_bytes(std::span{&group_count_, 1}));
    groups_.records.reserve(group_count_ * sizeof(TreeGroup<Real>));
}

template <class Real>
void TreeBuild<Real>::fill_groups(const TreeCriterion& criterion) {
    Device& device = Device::get();
    arguments_.first = 0, arguments_.last = group_count_;
    dispatches_.run(device.program("tree_build.comp:groups", defines_of<Real>() + criterion.defines()),
                    {bodies_.name(), groups_.starts.name(), groups_.records.name(), norms_.name()}, arguments_,
                    groups_for(group_count_, kGroupsOfBlock));
}

template <class Real>
void TreeBuild<Real>::read_mean_of_estimates() {
    Device& device = Device::get();
    device.dispatch(device.program("tree_build.comp:bounds", defines_of<Real>() + "#define NORMS 2\n"),
                    {bodies_.name(), norms_.name(), parts_.name()}, arguments_, parts_for(arguments_.count));
    arguments_.mean_norm = static_cast<Real>(bounds_of<Real>(parts_, parts_for(arguments_.count)).mean_norm);
}

template <class Real>
std::vector<typename TreeBuild<Real>::Border> TreeBuild<Real>::borders(const Buffer& from, std::size_t count) const {
    return read_all<Border>(from, count);
}

template <class Real>
std::vector<TreeCell> TreeBuild<Real>::cells(std::size_t most) const {
    std::vector<TreeCell> all;
    int levels = 0;
    while (levels + 1 < static_cast<int>(level_start_.size()) &&
           level_start_[static_cast<std::size_t>(levels) + 1] <= most)
        ++levels;
    if (levels == 0) return all;
    const std::size_t count = level_start_[static_cast<std::size_t>(levels)];
    const std::vector<Border> begins = borders(begins_, count), ends = borders(ends_, count);
    const auto keys = read_all<std::array<std::uint32_t, 2>>(keys_[0], arguments_.count);
    const double whole = static_cast<double>(units_.side);
    const Vec3d low{double(units_.low.x), double(units_.low.y), double(units_.low.z)};
    for (int level = 0; level < levels; ++level)
        for (std::size_t cell = level_start_[static_cast<std::size_t>(level)];
             cell < level_start_[static_cast<std::size_t>(level) + 1]; ++cell) {
            const std::array<std::uint32_t, 2> words = keys[begins[cell].body];
            const std::uint64_t key = std::uint64_t{words[1]} << 32 | words[0];
            const Vec3d corner = cell_corner(key, level, low, whole);
            const double side = whole / std::ldexp(1.0, level);
            const auto at = [&](double more) {
                return Vec3f{static_cast<float>(corner.x + more), static_cast<float>(corner.y + more),
                             static_cast<float>(corner.z + more)};
            };
            all.push_back(
                {at(0), at(side), level, ends[cell].body - begins[cell].body, (begins[cell].part & kLeafBit) != 0});
        }
    return all;
}

template <class Real>
void TreeBuild<Real>::labels(TreeLabel label, float* out) const {
    const std::vector<Border> begins = borders(begins_, cell_count()), ends = borders(ends_, cell_count());
    const auto order = read_all<std::uint32_t>(order_[0], arguments_.count);
    for (std::size_t level = 0; level + 1 < level_start_.size(); ++level)
        for (std::size_t cell = level_start_[level]; cell < level_start_[level + 1]; ++cell) {
            if ((begins[cell].part & kLeafBit) == 0) continue;
            const auto number = static_cast<float>(label == TreeLabel::kLeaf ? begins[cell].body : level);
            for (std::uint32_t i = begins[cell].body; i < ends[cell].body; ++i) out[order[i]] = number;
        }
}

template <class Real>
std::pair<double, double> TreeBuild<Real>::interactions() const {
    double bodies = 0, cells = 0;
    for (const TreeGroup<Real>& group : read_all<TreeGroup<Real>>(groups_.records, group_count_)) {
        bodies += static_cast<double>(group.with_bodies) * group.count;
        cells += static_cast<double>(group.with_cells) * group.count;
    }
    return {bodies / arguments_.count, cells / arguments_.count};
}

template <class Real>
std::uint64_t TreeBuild<Real>::leaves() const {
    const std::vector<Border> begins = borders(begins_, cell_count());
    return static_cast<std::uint64_t>(
        std::ranges::count_if(begins, [](const Border& begin) { return (begin.part & kLeafBit) != 0; }));
}

template class TreeBuild<float>;
template class TreeBuild<double>;

}  // namespace orrery::gl
