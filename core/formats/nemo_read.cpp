// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/error.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/nemo.hpp"
#include "core/formats/nemo_items.hpp"
#include "core/formats/suggest.hpp"

namespace orrery::nemo_files {
namespace {

constexpr std::size_t kMostDepth = 8;  // as in NEMO

/// The items that hold the columns of a snapshot.
struct Found {
    std::optional<double> bodies, time;
    std::optional<Item> mass, phase, position, velocity, key, softening;

    bool has_places() const { return phase || position; }
};

/// Records an item of the sets Parameters and Particles.
void note(Items& items, const std::string& set, const Item& item, Found& found) {
    if (set == "Parameters") {
        if (item.tag == "Nobj" || item.tag == "NBody") found.bodies = items.number(item);
        if (item.tag == "Time") found.time = items.number(item);
    }
    if (set != "Particles") return;
    if (item.tag == "CoordSystem") {
        const double code = items.number(item);
        if (code != kCartesian)
            items.refuse(item.header,
                         fmt::format("CoordSystem: expected {} (Cartesian, 3 dimensions), found {}", kCartesian, code));
    }
    if (item.tag == "Mass") found.mass = item;
    if (item.tag == "PhaseSpace") found.phase = item;
    if (item.tag == "Position") found.position = item;
    if (item.tag == "Velocity") found.velocity = item;
    if (item.tag == "Key") found.key = item;
    if (item.tag == "Eps") found.softening = item;
}

/// Finds the last snapshot with bodies, and counts them. The masses may be in an earlier one.
Found find(Items& items, const InputFile& file, std::size_t& snapshots) {
    Found last, now;
    std::vector<std::string> sets;
    for (Item item; items.next(item);) {
        if (item.type == '(') {
            if (sets.size() == kMostDepth) items.refuse(item.header, "expected sets nested at most 8 deep");
            if (item.tag == "SnapShot") now = {};
            sets.push_back(item.tag);
        } else if (item.type == ')') {
            if (sets.empty()) items.refuse(item.header, "a set ends that did not begin");
            if (sets.back() == "SnapShot" && now.has_places()) {
                if (!now.mass && last.mass && now.bodies == last.bodies) now.mass = last.mass;
                last = now;
                ++snapshots;
            }
            sets.pop_back();
        } else if (!sets.empty()) {
            note(items, sets.back(), item, now);
        }
    }
    if (!sets.empty()) items.refuse(file.size(), fmt::format("truncated: the set {} does not end", sets.back()));
    if (snapshots == 0) items.refuse(0, "holds no SnapShot with positions");
    return last;
}

/// "2 × 3"; "1" for an item with a single number.
std::string shape(const std::vector<std::uint64_t>& dims) {
    return dims.empty() ? "1" : fmt::format("{}", fmt::join(dims, " × "));
}

/// Checks the shape of a column: `dims` numbers for each of `bodies` bodies.
void require_shape(const Items& items, const Item& item, std::uint64_t bodies, const std::vector<std::uint64_t>& dims,
                   bool whole) {
    std::vector<std::uint64_t> expected{bodies};
    expected.insert(expected.end(), dims.begin(), dims.end());
    if (item.dims != expected)
        items.refuse(item.header, fmt::format("item {}: expected {} numbers, found {}", item.tag, shape(expected),
                                              shape(item.dims)));
    if (whole ? item.type != 'i' && item.type != 'l' : !item.real())
        items.refuse(item.header, fmt::format("item {}: expected {} numbers, found type \"{}\"", item.tag,
                                              whole ? "whole" : "real", item.type));
}

/// Calls f(body, number, value, byte) for all numbers of a column, `each` for a body, in order.
template <class F>
void for_numbers(InputFile& file, const Item& item, std::uint64_t each, FileProgress& progress, F f) {
    std::vector<std::byte> block;
    const std::size_t size = item.size();
    const std::uint64_t in_block = kBlock / size;
    file.seek(item.data);
    for (std::uint64_t first = 0; first < item.elements; first += in_block) {
        block.resize(static_cast<std::size_t>(std::min(in_block, item.elements - first)) * size);
        file.read(block);
        for (std::size_t i = 0; i * size < block.size(); ++i) {
            const std::uint64_t at = first + i;
            const std::byte* from = block.data() + i * size;
            const double value =
                size == 4 ? static_cast<double>(load<float>(from, item.order)) : load<double>(from, item.order);
            f(static_cast<std::size_t>(at / each), static_cast<std::size_t>(at % each), value, item.data + at * size);
        }
        progress.reach(file.position());
    }
}

/// Reads `each` numbers per body; number k is stored at `place(body, k)`, and its quantity is `first` + k.
template <class Place>
void read_column(InputFile& file, const Items& items, const Item& item, std::uint64_t each, std::size_t first,
                 FileProgress& progress, Place place) {
    for_numbers(file, item, each, progress, [&](std::size_t body, std::size_t k, double value, std::uintmax_t at) {
        const std::size_t quantity = first + k;
        if (!std::isfinite(value) || (quantity == 0 && !(value >= 0)))
            items.refuse(at,
                         fmt::format("body {}: expected a {} number as {}, found {}", body,
                                     quantity == 0 ? "non-negative finite" : "finite", kQuantities[quantity], value));
        *place(body, k) = value;
    });
}

double* component(Vec4d& v, std::size_t k) { return k == 0 ? &v.x : k == 1 ? &v.y : &v.z; }
double* component(Vec3d& v, std::size_t k) { return k == 0 ? &v.x : k == 1 ? &v.y : &v.z; }

void read_bodies(InputFile& file, const Items& items, const Found& found, Scene& scene) {
    Bodies& to = scene.bodies;
    const auto count = static_cast<std::uint64_t>(*found.bodies);
    FileProgress progress{"reading", file.size()};
    require_memory_for(file.path(), count);
    to.position_mass.resize(static_cast<std::size_t>(count));
    to.velocity.resize(static_cast<std::size_t>(count));
    read_column(file, items, *found.mass, 1, 0, progress,
                [&](std::size_t i, std::size_t) { return &to.position_mass[i].w; });
    if (found.phase) {
        read_column(file, items, *found.phase, 6, 1, progress, [&](std::size_t i, std::size_t k) {
            return k < 3 ? component(to.position_mass[i], k) : component(to.velocity[i], k - 3);
        });
        return;
    }
    read_column(file, items, *found.position, 3, 1, progress,
                [&](std::size_t i, std::size_t k) { return component(to.position_mass[i], k); });
    if (!found.velocity)
        return scene.notes.push_back(scene.id + ": no velocities; the bodies are assumed to be at rest");
    read_column(file, items, *found.velocity, 3, 4, progress,
                [&](std::size_t i, std::size_t k) { return component(to.velocity[i], k); });
}

void read_keys(InputFile& file, const Item& item, std::vector<std::uint64_t>& ids) {
    ids.reserve(static_cast<std::size_t>(item.elements));
    std::vector<std::byte> block;
    const std::size_t size = item.size();
    file.seek(item.data);
    for (std::uint64_t first = 0; first < item.elements; first += kBlock / size) {
        block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlock / size, item.elements - first)) * size);
        file.read(block);
        for (const std::byte* from = block.data(); from != block.data() + block.size(); from += size)
            ids.push_back(size == 4 ? load<std::uint32_t>(from, item.order) : load<std::uint64_t>(from, item.order));
    }
}

/// The median of the softening lengths in the file.
double read_softening(InputFile& file, const Item& item) {
    std::vector<double> lengths;
    lengths.reserve(static_cast<std::size_t>(item.elements));
    FileProgress progress{"reading", file.size()};
    for_numbers(file, item, 1, progress, [&](std::size_t, std::size_t, double value, std::uintmax_t) {
        if (std::isfinite(value) && value >= 0) lengths.push_back(value);
    });
    if (lengths.empty()) return 0;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    return *middle;
}

void check(const Items& items, const Found& found) {
    if (!found.bodies) items.refuse(0, "Parameters: Nobj is missing");
    const double n = *found.bodies;
    if (!(n >= 1 && n <= 1e15)) items.refuse(0, fmt::format("Nobj: expected a number of bodies, found {}", n));
    const auto bodies = static_cast<std::uint64_t>(n);
    if (!found.mass) items.refuse(0, "Particles: Mass is missing");
    require_shape(items, *found.mass, bodies, {}, false);
    if (found.phase) require_shape(items, *found.phase, bodies, {2, 3}, false);
    if (found.position) require_shape(items, *found.position, bodies, {3}, false);
    if (found.velocity) require_shape(items, *found.velocity, bodies, {3}, false);
    if (found.key) require_shape(items, *found.key, bodies, {}, true);
    if (found.softening) require_shape(items, *found.softening, bodies, {}, false);
    if (found.time && !std::isfinite(*found.time)) items.refuse(0, "Time: expected a finite number");
}

}  // namespace

Scene read(const std::filesystem::path& path) {
    InputFile file{path};
    Items items{file};
    std::size_t snapshots = 0;
    const Found found = find(items, file, snapshots);
    check(items, found);
    Scene scene;
    scene.id = scene.label = path.filename().string();
    if (snapshots > 1)
        scene.notes.push_back(fmt::format("{}: holds {} snapshots, of which the last is used", scene.id, snapshots));
    scene.notes.push_back(fmt::format("{}: the file states no units; G = 1 is assumed", scene.id));
    scene.time = found.time.value_or(0);
    read_bodies(file, items, found, scene);
    if (found.key) read_keys(file, *found.key, scene.bodies.ids);
    scene.gravity.softening =
        found.softening ? read_softening(file, *found.softening) : suggested_softening(scene.bodies);
    scene.dt = suggested_dt(scene.bodies, scene.gravity);
    note_duplicate_ids(scene);
    return scene;
}

}  // namespace orrery::nemo_files
