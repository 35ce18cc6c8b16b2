// SPDX-License-Identifier: MIT
#include "core/formats/nemo.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/snapshot_rows.hpp"
#include "core/formats/suggest.hpp"

namespace orrery::nemo_files {
namespace {

constexpr std::uint16_t kSingle = 0x0992, kPlural = 0x0B92;
constexpr std::int32_t kCartesian = (1 << 16) | (3 << 8) | 2;  ///< positions and velocities in three dimensions

/// An item of a structured file without its data; for a set only its beginning or end.
struct Item {
    char type = 0;
    std::string tag;  ///< empty for ")"
    std::vector<std::uint64_t> dims;
    std::endian order = std::endian::native;
    std::uintmax_t header = 0, data = 0;  ///< where they begin, in bytes
    std::uint64_t elements = 1;

    bool real() const { return type == 'f' || type == 'd'; }
    bool whole() const { return type == 's' || type == 'i' || type == 'l'; }
    std::size_t size() const;  ///< of an element, in bytes
};

/// Iterates over the items, skipping their data. Throws Error{kUsage} naming file and byte for an invalid item.
class Items {
public:
    explicit Items(InputFile& file) : file_{file} {}
    bool next(Item& item);  ///< false at the end of the file
    /// The value of an item with a single number.
    double number(const Item& item);
    [[noreturn]] void refuse(std::uintmax_t at, const std::string& what) const;

private:
    std::byte get();
    std::string text(const char* what);
    void read_dims(Item& item);

    InputFile& file_;
    std::uintmax_t at_ = 0;  // of the next byte
    std::vector<std::byte> block_;
    std::uintmax_t block_at_ = 0;
};

constexpr std::size_t kAhead = 4096, kMostText = 64, kMostDims = 8;  // the latter two as in NEMO's filestruct.h
constexpr std::array<std::pair<char, std::size_t>, 11> kSizes{
    {{'a', 1}, {'b', 1}, {'c', 1}, {'s', 2}, {'h', 2}, {'i', 4}, {'f', 4}, {'l', 8}, {'d', 8}, {'(', 0}, {')', 0}}};

std::size_t Item::size() const { return std::ranges::find(kSizes, type, &std::pair<char, std::size_t>::first)->second; }

void Items::refuse(std::uintmax_t at, const std::string& what) const {
    usage_error(fmt::format("{}: byte {}: {}", file_.path().string(), at, what));
}

std::byte Items::get() {
    if (at_ < block_at_ || at_ >= block_at_ + block_.size()) {
        if (at_ >= file_.size()) refuse(at_, "truncated: ends within an item");
        block_.resize(static_cast<std::size_t>(std::min<std::uintmax_t>(kAhead, file_.size() - at_)));
        file_.seek(at_);
        file_.read(block_);
        block_at_ = at_;
    }
    return block_[static_cast<std::size_t>(at_++ - block_at_)];
}

std::string Items::text(const char* what) {
    const std::uintmax_t begin = at_;
    std::string text;
    for (char c = static_cast<char>(get()); c != 0; c = static_cast<char>(get())) {
        if (text.size() == kMostText || static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
            refuse(begin, fmt::format("expected {}: up to {} letters and a 0", what, kMostText));
        text += c;
    }
    return text;
}

void Items::read_dims(Item& item) {
    for (;;) {
        const std::uintmax_t at = at_;
        std::array<std::byte, 4> bytes;
        for (std::byte& b : bytes) b = get();
        const auto dim = load<std::int32_t>(bytes.data(), item.order);
        if (dim == 0 && !item.dims.empty()) return;
        const std::uintmax_t most = file_.size() / item.elements;
        if (dim <= 0 || item.dims.size() == kMostDims || static_cast<std::uintmax_t>(dim) > most)
            refuse(at, fmt::format("{} {}: expected a dimension that the file has room for, found {}", "item", item.tag,
                                   dim));
        item.dims.push_back(static_cast<std::uint64_t>(dim));
        item.elements *= static_cast<std::uint64_t>(dim);
    }
}

bool Items::next(Item& item) {
    if (at_ >= file_.size()) return false;
    item = {};
    item.header = at_;
    const std::array magic{get(), get()};
    std::uint16_t number = 0;
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        number = load<std::uint16_t>(magic.data(), order);
        item.order = order;
        if (number == kSingle || number == kPlural) break;
    }
    if (number != kSingle && number != kPlural)
        refuse(item.header, fmt::format("expected the magic number of an item, 0x0992 or 0x0B92, found 0x{:04X}",
                                        load<std::uint16_t>(magic.data(), std::endian::little)));
    const std::uintmax_t type_at = at_;
    const std::string type = text("the type of an item");
    if (type.size() != 1 || std::ranges::find(kSizes, type[0], &std::pair<char, std::size_t>::first) == kSizes.end())
        refuse(type_at, fmt::format("no type of an item: \"{}\"", type));
    item.type = type[0];
    if (item.type != ')') item.tag = text("the tag of an item");
    if (number == kPlural) read_dims(item);
    item.data = at_;
    if (item.elements * item.size() > file_.size() - at_)
        refuse(item.header, fmt::format("truncated: item {} has {} bytes of data, of which {} are there", item.tag,
                                        item.elements * item.size(), file_.size() - at_));
    at_ += item.elements * item.size();
    return true;
}

double Items::number(const Item& item) {
    if (item.elements != 1 || !(item.real() || item.whole()))
        refuse(item.header, fmt::format("item {}: expected one number", item.tag));
    std::array<std::byte, 8> bytes;
    const std::uintmax_t behind = std::exchange(at_, item.data);
    for (std::size_t i = 0; i < item.size(); ++i) bytes[i] = get();
    at_ = behind;
    switch (item.type) {
        case 's':
            return load<std::int16_t>(bytes.data(), item.order);
        case 'i':
            return load<std::int32_t>(bytes.data(), item.order);
        case 'l':
            return static_cast<double>(load<std::int64_t>(bytes.data(), item.order));
        case 'f':
            return load<float>(bytes.data(), item.order);
        default:
            return load<double>(bytes.data(), item.order);
    }
}

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
            if (sets.empty()) items.refuse(item.header, "the end of a set that has no beginning");
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

/// Bodies in the order of the file.
struct Stretch {
    std::uint64_t first, count;
};

/// Calls f(body, number, value, byte) for the numbers of a column, `each` for a body, in order; bodies are counted from
/// the first one of the stretch.
template <class F>
void for_numbers(InputFile& file, const Item& item, Stretch bodies, std::uint64_t each, FileProgress& progress, F f) {
    std::vector<std::byte> block;
    const std::size_t size = item.size();
    const std::uint64_t in_block = kBlock / size, begin = item.data + bodies.first * each * size;
    file.seek(begin);
    for (std::uint64_t first = 0; first < bodies.count * each; first += in_block) {
        block.resize(static_cast<std::size_t>(std::min(in_block, bodies.count * each - first)) * size);
        file.read(block);
        for (std::size_t i = 0; i * size < block.size(); ++i) {
            const std::uint64_t at = first + i;
            const std::byte* from = block.data() + i * size;
            const double value =
                size == 4 ? static_cast<double>(load<float>(from, item.order)) : load<double>(from, item.order);
            f(static_cast<std::size_t>(at / each), static_cast<std::size_t>(at % each), value, begin + at * size);
        }
        progress.reach(file.position());
    }
}

/// Reads `each` numbers per body; number k is stored at `place(body, k)`, and its quantity is `first` + k.
template <class Place>
void read_column(InputFile& file, const Items& items, const Item& item, Stretch bodies, std::uint64_t each,
                 std::size_t first, FileProgress& progress, Place place) {
    for_numbers(
        file, item, bodies, each, progress, [&](std::size_t body, std::size_t k, double value, std::uintmax_t at) {
            const std::size_t quantity = first + k;
            if (!std::isfinite(value) || (quantity == 0 && !(value >= 0)))
                items.refuse(
                    at, fmt::format("body {}: expected a {} number as {}, found {}", bodies.first + body,
                                    quantity == 0 ? "non-negative finite" : "finite", kQuantities[quantity], value));
            *place(body, k) = value;
        });
}

double* component(Vec4d& v, std::size_t k) { return k == 0 ? &v.x : k == 1 ? &v.y : &v.z; }
double* component(Vec3d& v, std::size_t k) { return k == 0 ? &v.x : k == 1 ? &v.y : &v.z; }

void read_bodies(InputFile& file, const Items& items, const Found& found, Stretch bodies, FileProgress& progress,
                 Bodies& to) {
    to.position_mass.resize(static_cast<std::size_t>(bodies.count));
    to.velocity.assign(static_cast<std::size_t>(bodies.count), {});
    read_column(file, items, *found.mass, bodies, 1, 0, progress,
                [&](std::size_t i, std::size_t) { return &to.position_mass[i].w; });
    if (found.phase) {
        read_column(file, items, *found.phase, bodies, 6, 1, progress, [&](std::size_t i, std::size_t k) {
            return k < 3 ? component(to.position_mass[i], k) : component(to.velocity[i], k - 3);
        });
        return;
    }
    read_column(file, items, *found.position, bodies, 3, 1, progress,
                [&](std::size_t i, std::size_t k) { return component(to.position_mass[i], k); });
    if (!found.velocity) return;
    read_column(file, items, *found.velocity, bodies, 3, 4, progress,
                [&](std::size_t i, std::size_t k) { return component(to.velocity[i], k); });
}

void read_keys(InputFile& file, const Item& item, Stretch bodies, std::vector<std::uint64_t>& ids) {
    ids.clear();
    ids.reserve(static_cast<std::size_t>(bodies.count));
    std::vector<std::byte> block;
    const std::size_t size = item.size();
    file.seek(item.data + bodies.first * size);
    for (std::uint64_t first = 0; first < bodies.count; first += kBlock / size) {
        block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlock / size, bodies.count - first)) * size);
        file.read(block);
        for (const std::byte* from = block.data(); from != block.data() + block.size(); from += size)
            ids.push_back(size == 4 ? load<std::uint32_t>(from, item.order) : load<std::uint64_t>(from, item.order));
    }
}

/// The median of the softening lengths in the file, of at most 65 536 of them, evenly spaced.
double read_softening(InputFile& file, const Item& item) {
    const std::uint64_t stride = std::max<std::uint64_t>(1, (item.elements + 65535) / 65536);
    std::vector<double> lengths;
    FileProgress none{"reading", 0};
    for (std::uint64_t i = 0; i < item.elements; i += stride == 1 ? item.elements : stride)
        for_numbers(file, item, {i, stride == 1 ? item.elements : 1}, 1, none,
                    [&](std::size_t, std::size_t, double value, std::uintmax_t) {
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

/// The file with the places of its columns.
struct Opened {
    explicit Opened(const std::filesystem::path& path) : file{path}, found{find(items, file, snapshots)} {
        check(items, found);
    }
    std::uint64_t bodies() const { return static_cast<std::uint64_t>(*found.bodies); }
    /// Everything that does not depend on the bodies.
    Scene about() const {
        Scene scene;
        scene.id = scene.label = file.path().filename().string();
        const auto note = [&scene](const std::string& what) { scene.notes.push_back(scene.id + ": " + what); };
        if (snapshots > 1) note(fmt::format("holds {} snapshots, of which the last is used", snapshots));
        note("the file states no units; G = 1 is assumed");
        if (!found.phase && !found.velocity) note("no velocities; the bodies are assumed to be at rest");
        scene.time = found.time.value_or(0);
        return scene;
    }

    InputFile file;
    Items items{file};
    std::size_t snapshots = 0;
    Found found;
};

Scene read(const std::filesystem::path& path) {
    Opened opened{path};
    auto& [file, items, snapshots, found] = opened;
    Scene scene = opened.about();
    const Stretch all{0, opened.bodies()};
    require_memory_for(path, all.count);
    FileProgress progress{"reading", file.size()};
    read_bodies(file, items, found, all, progress, scene.bodies);
    if (found.key) read_keys(file, *found.key, all, scene.bodies.ids);
    scene.gravity.softening =
        found.softening ? read_softening(file, *found.softening) : suggested_softening(scene.bodies);
    scene.dt = suggested_dt(scene.bodies, scene.gravity);
    note_duplicate_ids(scene);
    return scene;
}

class Rows final : public SnapshotRows {
public:
    Rows(const std::filesystem::path& path, WithIds ids)
        : opened_{path}, with_ids_{ids == WithIds::kYes && opened_.found.key} {
        size_ = opened_.bodies();
        about_ = opened_.about();
        if (opened_.found.softening)
            softening_ = about_.gravity.softening = read_softening(opened_.file, *opened_.found.softening);
    }
    void read(std::uint64_t first, std::size_t count, Bodies& into) override {
        FileProgress none{"reading", 0};
        read_bodies(opened_.file, opened_.items, opened_.found, {first, count}, none, into);
        if (with_ids_) read_keys(opened_.file, *opened_.found.key, {first, count}, into.ids);
    }

private:
    Opened opened_;
    bool with_ids_;
};

std::unique_ptr<SnapshotRows> rows(const std::filesystem::path& path, WithIds ids) {
    return std::make_unique<Rows>(path, ids);
}

/// The columns of numbers of the last snapshot, one row per body, with the sets that repeat what read() takes.
std::vector<Item> columns_of(InputFile& file, std::uint64_t& bodies) {
    std::size_t snapshots = 0;
    Items items{file};
    const Found found = find(items, file, snapshots);
    check(items, found);
    bodies = static_cast<std::uint64_t>(*found.bodies);
    std::vector<Item> columns;
    Items again{file};
    std::vector<std::string> sets;
    for (Item item; again.next(item);) {
        if (item.type == '(') {
            if (item.tag == "SnapShot") columns.clear();
            sets.push_back(item.tag);
        } else if (item.type == ')') {
            sets.pop_back();
        } else if (!sets.empty() && sets.back() == "Particles" && (item.real() || item.whole()) && !item.dims.empty() &&
                   item.dims.front() == bodies) {
            columns.push_back(item);
        }
    }
    return columns;
}

std::vector<FieldInfo> list_fields(const std::filesystem::path& path) {
    InputFile file{path};
    std::uint64_t bodies = 0;
    std::vector<FieldInfo> all;
    for (const Item& item : columns_of(file, bodies))
        all.push_back({.name = item.tag,
                       .components = item.elements / bodies,
                       .bytes = item.size(),
                       .whole = item.whole(),
                       .bodies = bodies});
    return all;
}

double number_at(const std::byte* from, const Item& item) {
    switch (item.type) {
        case 's':
            return load<std::int16_t>(from, item.order);
        case 'i':
            return load<std::int32_t>(from, item.order);
        case 'l': {
            const auto whole = load<std::int64_t>(from, item.order);
            constexpr std::int64_t kMostExact = std::int64_t{1} << 53;
            const bool exact = whole <= kMostExact && whole >= -kMostExact;
            return exact ? static_cast<double>(whole) : std::numeric_limits<double>::quiet_NaN();
        }
        case 'f':
            return static_cast<double>(load<float>(from, item.order));
        default:
            return load<double>(from, item.order);
    }
}

void read_field_of_set(const std::filesystem::path& path, const FieldInfo& field, const TakeNumbers& take) {
    InputFile file{path};
    std::uint64_t bodies = 0;
    const std::vector<Item> columns = columns_of(file, bodies);
    const auto item = std::ranges::find(columns, field.name, &Item::tag);
    if (item == columns.end()) usage_error(fmt::format("{}: item {} is missing", path.string(), field.name));
    const std::size_t row = static_cast<std::size_t>(item->elements / bodies) * item->size();
    std::vector<std::byte> block;
    std::vector<double> numbers;
    file.seek(item->data);
    for (std::uint64_t left = bodies; left > 0;) {
        const auto now =
            static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max<std::size_t>(1, kBlock / row)));
        block.resize(now * row);
        file.read(block);
        numbers.clear();
        for (std::size_t at = 0; at < block.size(); at += item->size())
            numbers.push_back(number_at(block.data() + at, *item));
        take(numbers);
        left -= now;
    }
}

constexpr FieldReaders kFields{list_fields, read_field_of_set};

constexpr std::uint64_t kMostBodies = std::numeric_limits<std::int32_t>::max();

/// Writes numbers to a file in blocks.
class Sink {
public:
    explicit Sink(OutputFile& file) : file_{file} { block_.reserve(kBlock + 8); }
    template <class T>
    void put(T value) {
        std::array<std::byte, sizeof(T)> bytes;
        std::byte* to = bytes.data();
        store(to, value, std::endian::little);
        block_.insert(block_.end(), bytes.begin(), bytes.end());
        if (block_.size() >= kBlock) flush();
    }
    void put_text(std::string_view text) {
        for (const char c : text) put(c);
        put('\0');
    }
    void flush() {
        file_.write(block_);
        block_.clear();
    }

private:
    OutputFile& file_;
    std::vector<std::byte> block_;
};

void header(Sink& to, std::string_view type, std::string_view tag, std::initializer_list<std::size_t> dims = {}) {
    to.put(dims.size() == 0 ? kSingle : kPlural);
    to.put_text(type);
    if (type != ")") to.put_text(tag);
    if (dims.size() == 0) return;
    for (const std::size_t dim : dims) to.put(static_cast<std::int32_t>(dim));
    to.put(std::int32_t{0});
}

void write_particles(Sink& to, const BodyStretches& bodies, double softening) {
    const std::size_t count = bodies.size();
    FileProgress progress{"writing", count, 64};
    header(to, "i", "CoordSystem");
    to.put(kCartesian);
    header(to, "d", "Mass", {count});
    for (std::size_t i = 0; i < count; ++i) to.put(bodies.position_mass(i).w);
    header(to, "d", "PhaseSpace", {count, 2, 3});
    for (std::size_t i = 0; i < count; ++i) {
        const Vec4d& p = bodies.position_mass(i);
        const Vec3d& v = bodies.velocity(i);
        for (const double q : {p.x, p.y, p.z, v.x, v.y, v.z}) to.put(q);
        progress.add(1);
    }
    header(to, "d", "Eps", {count});
    for (std::size_t i = 0; i < count; ++i) to.put(softening);
    if (!bodies.with_ids() || bodies.largest_id() > kMostBodies) return;
    header(to, "i", "Key", {count});
    for (std::size_t i = 0; i < count; ++i) to.put(static_cast<std::int32_t>(bodies.id(i)));
}

/// Recognises the first item: a set, or a text before it (History, Headline).
bool recognises(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    if (head.size() < 5) return false;
    const auto is_magic = [&](std::endian order) {
        const auto number = load<std::uint16_t>(head.data(), order);
        return number == kSingle || number == kPlural;
    };
    const auto type = static_cast<char>(head[2]);
    return (is_magic(std::endian::little) || is_magic(std::endian::big)) && head[3] == std::byte{0} &&
           std::string_view{"abcsihfld("}.find(type) != std::string_view::npos;
}

constexpr std::array<std::string_view, 2> kNemoExtensions{".nemo", ".snap"};

void write(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    validate(bodies, path.string());
    check_unit_constant(scene, path.string(), "NEMO");
    if (bodies.size() > kMostBodies)
        usage_error(
            fmt::format("{}: NEMO holds at most {} bodies, found {}", path.string(), kMostBodies, bodies.size()));
    OutputFile file{path, Durable::kYes};
    Sink to{file};
    header(to, "(", "SnapShot");
    header(to, "(", "Parameters");
    header(to, "i", "Nobj");
    to.put(static_cast<std::int32_t>(bodies.size()));
    header(to, "d", "Time");
    to.put(scene.time);
    header(to, ")", "");
    header(to, "(", "Particles");
    write_particles(to, bodies, scene.gravity.softening);
    header(to, ")", "");
    header(to, ")", "");
    to.flush();
    file.commit();
}

}  // namespace

bool is_old_style(std::span<const std::byte> head) {
    constexpr unsigned kTagged = 1, kVector = 2, kSet = 8;  // flag bits, and the largest type that can begin an item
    const auto is_item = [&](std::endian order) {
        const unsigned first = load<std::uint16_t>(head.data(), order), flags = first >> 8, type = first & 0xff;
        return (flags == kTagged || flags == (kTagged | kVector)) && type <= kSet &&
               load<std::uint16_t>(head.data() + 2, order) <= 8;  // the length of an element
    };
    if (head.size() < 16 || !(is_item(std::endian::little) || is_item(std::endian::big))) return false;
    const auto letter = [](std::byte b) { return std::isalpha(static_cast<unsigned char>(b)) != 0; };
    return std::ranges::all_of(head.subspan(4, 4), letter);  // the name
}

}  // namespace orrery::nemo_files

namespace orrery {

const FormatEntry& nemo() {
    static const FormatEntry entry{
        .id = "nemo",
        .label = "NEMO snapshot",
        .doc =
            "NEMO and ZENO snapshots, float or double in either byte order; written in double, little-endian; G = 1, "
            "ids below 2^31, no names",
        .extensions = nemo_files::kNemoExtensions,
        .holds = {.doubles = true, .softening = true, .ids = true, .largest_id = nemo_files::kMostBodies},
        .recognises = nemo_files::recognises,
        .read = nemo_files::read,
        .write = nemo_files::write,
        .rows = nemo_files::rows,
        .fields = &nemo_files::kFields};
    return entry;
}

}  // namespace orrery
