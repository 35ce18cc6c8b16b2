// SPDX-License-Identifier: MIT
// TIPSY binary snapshots. Header: double time; int32 bodies, dimensions (3), gas, dark, star; and in all but the oldest
// files 4 bytes of padding, which some programs use for a version. Then records of floats, 12 for gas, 9 for dark, 11
// for star, each beginning with mass, position, velocity. Standard files are big-endian (XDR), native ones have the
// byte order of the machine.
#include "core/formats/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/memory.hpp"
#include "core/base/standard_streams.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/snapshot_rows.hpp"
#include "core/formats/suggest.hpp"

namespace orrery {
namespace {

// Auxiliary arrays of TIPSY: a file NAME.WORD beside the snapshot NAME holds one number or vector per body. As text:
// the number of bodies, then one number per line; in binary: the number of bodies in 4 bytes, then numbers of 4 bytes
// in either byte order. Vectors are stored as all x, all y, all z.

constexpr std::size_t kMostArrays = 64, kCountBytes = 4, kNumberBytes = 4;

/// How an array is stored.
struct ArrayFile {
    std::filesystem::path path;
    std::optional<std::endian> binary;  ///< byte order; empty: text
    std::uint64_t components = 1;
};

/// Arrays of ids and group numbers, by convention of their names.
bool holds_whole_numbers(std::string_view word) {
    return word == "iord" || word == "igasorder" || word == "grp" || word.ends_with("grp");
}

std::optional<ArrayFile> array_in(const std::filesystem::path& path, std::uint64_t bodies) {
    try {
        InputFile file{path};
        std::vector<std::byte> head(static_cast<std::size_t>(std::min<std::uintmax_t>(file.size(), kCountBytes)));
        file.read(head);
        for (const std::endian order : {std::endian::little, std::endian::big})
            for (const std::uint64_t components : {1u, 3u})
                if (head.size() == kCountBytes && load<std::uint32_t>(head.data(), order) == bodies &&
                    file.size() == kCountBytes + kNumberBytes * components * bodies)
                    return ArrayFile{path, order, components};
        Lines lines{path};
        const auto first = lines.next();
        const auto count = first ? csv_text::whole(csv_text::trimmed(*first)) : std::nullopt;
        if (!count || *count != bodies || !lines.next()) return std::nullopt;
        Lines all{path};
        const std::size_t numbers = all.count(1) - 1;
        if (numbers == bodies) return ArrayFile{path, std::nullopt, 1};
        if (numbers == 3 * bodies) return ArrayFile{path, std::nullopt, 3};
    } catch (const Error&) {  // unreadable, or no text
    }
    return std::nullopt;
}

/// The words after the name of the snapshot, with their files.
std::map<std::string, std::filesystem::path> candidates(const std::filesystem::path& snapshot) {
    const std::string name = snapshot.filename().string();
    std::vector<std::string> stems{name};
    for (const std::string_view ending : {".std.tipsy", ".tipsy", ".std"})
        if (name.size() > ending.size() && name.ends_with(ending)) {
            stems.push_back(name.substr(0, name.size() - ending.size()));
            break;
        }
    std::map<std::string, std::filesystem::path> found;
    std::error_code failed;
    const std::filesystem::path folder = snapshot.has_parent_path() ? snapshot.parent_path() : ".";
    for (std::filesystem::directory_iterator entry{folder, failed}, end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string other = entry->path().filename().string();
        std::error_code none;
        if (other == name || !entry->is_regular_file(none)) continue;
        for (const std::string& stem : stems)
            if (other.size() > stem.size() + 1 && other.starts_with(stem) && other[stem.size()] == '.')
                found.try_emplace(other.substr(stem.size() + 1), entry->path());
    }
    return found;
}

class ArrayReader {
public:
    ArrayReader(const ArrayFile& from, std::uint64_t bodies, bool whole)
        : from_{from}, bodies_{static_cast<std::size_t>(bodies)}, whole_{whole} {}

    void read(const TakeNumbers& take) {
        const auto width = static_cast<std::size_t>(from_.components);
        require_memory(from_.path.string(), width * bodies_ * sizeof(double));
        std::vector<double> columns;
        columns.reserve(width * bodies_);
        from_.binary ? read_binary(columns) : read_text(columns);
        std::vector<double> rows(width * bodies_);
        for (std::size_t i = 0; i < bodies_; ++i)
            for (std::size_t k = 0; k < width; ++k) rows[i * width + k] = columns[k * bodies_ + i];
        take(rows);
    }

private:
    void read_binary(std::vector<double>& columns) {
        InputFile file{from_.path};
        file.seek(kCountBytes);
        std::vector<std::byte> block;
        for (std::size_t left = columns.capacity(); left > 0;) {
            const std::size_t now = std::min(left, kBlock / kNumberBytes);
            block.resize(now * kNumberBytes);
            file.read(block);
            for (std::size_t i = 0; i < now; ++i) {
                const std::byte* at = block.data() + i * kNumberBytes;
                columns.push_back(whole_ ? load<std::int32_t>(at, *from_.binary)
                                         : static_cast<double>(load<float>(at, *from_.binary)));
            }
            left -= now;
        }
    }
    void read_text(std::vector<double>& columns) {
        Lines lines{from_.path};
        lines.next();
        const std::size_t all = static_cast<std::size_t>(from_.components) * bodies_;
        while (const auto line = lines.next()) {
            const std::string_view text = csv_text::trimmed(*line);
            if (text.empty()) continue;
            const auto number = csv_text::number(text);
            if (!number || columns.size() == all)
                usage_error(fmt::format("{}: line {}: expected {}, found \"{}\"", from_.path.string(), lines.number(),
                                        number ? "the end of the file" : "a number", csv_text::shown(text)));
            columns.push_back(*number);
        }
        if (columns.size() != all)
            usage_error(fmt::format("{}: expected {} numbers, found {}", from_.path.string(), all, columns.size()));
    }

    const ArrayFile& from_;
    std::size_t bodies_;
    bool whole_;
};

/// The arrays beside a snapshot of this many bodies, in the order of their names, at most 64.
std::vector<FieldInfo> list_tipsy_arrays(const std::filesystem::path& snapshot, std::uint64_t bodies) {
    std::vector<FieldInfo> all;
    for (const auto& [word, path] : candidates(snapshot)) {
        if (all.size() == kMostArrays) break;
        if (const auto array = array_in(path, bodies))
            all.push_back({.name = word,
                           .what = fmt::format("auxiliary array {}", path.filename().string()),
                           .components = array->components,
                           .whole = holds_whole_numbers(word),
                           .bodies = bodies});
    }
    return all;
}

/// Throws Error{kUsage} naming the file and the line if a number is missing or malformed.
void read_tipsy_array(const std::filesystem::path& snapshot, const FieldInfo& field, std::uint64_t bodies,
                      const TakeNumbers& take) {
    const auto files = candidates(snapshot);
    const auto file = files.find(field.name);
    const auto array = file == files.end() ? std::nullopt : array_in(file->second, bodies);
    if (!array) usage_error(fmt::format("{}: the auxiliary array {} is missing", snapshot.string(), field.name));
    ArrayReader{*array, bodies, field.whole}.read(take);
}

using Bytes = std::span<const std::byte>;

constexpr std::size_t kBareHeader = 28, kPaddedHeader = 32;

struct Kind {
    const char* name;
    Species species;
    std::size_t floats;
    std::optional<std::size_t> softening;  ///< index of the float; gas has a smoothing length there instead
    std::optional<std::size_t> id;         ///< index of the first float of the 64-bit id in version 2
    std::size_t bytes() const { return 4 * floats; }
};
constexpr std::array kKinds{Kind{"gas", Species::kGas, 12, std::nullopt, std::nullopt},
                            Kind{"dark", Species::kHalo, 9, 7, 7}, Kind{"star", Species::kStars, 11, 9, 9}};

/// Bonsai's version of 2016: the header padding holds the version, and ids replace softening and potential.
constexpr std::int32_t kVersionWithIds = 2;

struct Header {
    double time = 0;
    std::int32_t bodies = 0, dimensions = 0;
    std::array<std::int32_t, 3> counts{};  ///< of kKinds
    bool with_ids = false;                 ///< version 2; known once the padding has been read

    std::int64_t sum() const { return std::int64_t{counts[0]} + counts[1] + counts[2]; }
    bool plausible() const { return dimensions == 3 && std::ranges::min(counts) >= 0 && sum() == bodies; }
    std::uintmax_t record_bytes() const {
        std::uintmax_t bytes = 0;
        for (std::size_t k = 0; k < 3; ++k) bytes += static_cast<std::uintmax_t>(counts[k]) * kKinds[k].bytes();
        return bytes;
    }
};

/// The index in kKinds of each of Gadget's species. Disks and bulges are stars.
std::size_t kind_of(Species species) {
    using enum Species;
    return species == kGas ? 0 : species == kHalo || species == kBoundary ? 1 : 2;
}

template <std::endian order>
Header load_header(Bytes head) {
    const auto integer = [&](std::size_t at) { return load<std::int32_t>(head.data() + at, order); };
    return {load<double>(head.data(), order), integer(8), integer(12), {integer(16), integer(20), integer(24)}, false};
}

template <std::endian order>
bool recognises(Bytes head, std::uintmax_t, const std::filesystem::path& path) {
    if (head.size() < kBareHeader) return false;
    const Header header = load_header<order>(head);
    // With a TIPSY extension the dimensions alone suffice, so that the reader can report which count is wrong.
    const auto extension = path.extension();
    const bool promised = extension == ".tipsy" || extension == ".std";
    return header.plausible() || (promised && header.dimensions == 3);
}

/// Returns the offset of the records. The counts are accepted only if they explain the size of the file to the byte.
std::size_t check(const Header& header, const InputFile& file) {
    const auto refuse = [&](const std::string& what) {
        usage_error(fmt::format("{}: {}", file.path().string(), what));
    };
    if (!std::isfinite(header.time)) refuse(fmt::format("byte 0: time is {}, expected a finite number", header.time));
    if (header.dimensions != 3) refuse(fmt::format("byte 12: expected 3 dimensions, found {}", header.dimensions));
    for (std::size_t k = 0; k < 3; ++k)
        if (header.counts[k] < 0)
            refuse(fmt::format("byte {}: expected a count of {} bodies, found {}", 16 + 4 * k, kKinds[k].name,
                               header.counts[k]));
    if (header.sum() != header.bodies)
        refuse(fmt::format("byte 8: expected the sum of {} gas, {} dark and {} star bodies, found {}", header.counts[0],
                           header.counts[1], header.counts[2], header.bodies));
    if (header.bodies == 0) refuse("holds no bodies");
    const std::uintmax_t records = header.record_bytes();
    if (file.size() == kBareHeader + records) return kBareHeader;
    if (file.size() == kPaddedHeader + records) return kPaddedHeader;
    refuse(fmt::format("{}: expected {} or {} bytes for {} bodies, found {}",
                       file.size() < kBareHeader + records ? "truncated" : "too long", kBareHeader + records,
                       kPaddedHeader + records, header.bodies, file.size()));
    return 0;
}

/// The bodies read so far, and a sample of the softening lengths in the file.
struct Gathered {
    Bodies bodies;
    std::vector<float> softenings;
    std::uint64_t others = 0, stride = 1;  ///< bodies with softening lengths, of which every stride-th is sampled
};

void add_length(float softening, std::vector<float>& to) {
    if (std::isfinite(softening) && softening > 0) to.push_back(softening);
}

template <std::endian order>
void add_record(const std::byte* record, const Kind& kind, bool with_ids, std::uintmax_t offset, const InputFile& file,
                std::size_t before, Gathered& to) {
    std::array<double, 7> q;
    for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] = static_cast<double>(load<float>(record + 4 * i, order));
        // After a header without padding, a first mass of 0 is the padding of a file whose last 4 bytes are missing.
        const bool padded = offset != kBareHeader;
        if (std::isfinite(q[i]) && (i != 0 || q[i] > 0 || (q[i] == 0 && padded))) continue;
        const char* expected = i != 0 ? "finite" : padded ? "non-negative finite" : "positive finite";
        usage_error(fmt::format("{}: byte {}: body {} ({}): expected a {} number as {}, found {}", file.path().string(),
                                offset + 4 * i, before + to.bodies.size(), kind.name, expected, kQuantities[i], q[i]));
    }
    to.bodies.add({q[1], q[2], q[3]}, {q[4], q[5], q[6]}, q[0]);
    if (with_ids) {
        if (kind.id) to.bodies.ids.push_back(load<std::uint64_t>(record + 4 * *kind.id, order));
        return;
    }
    if (!kind.softening) return;
    if (to.others++ % to.stride == 0) add_length(load<float>(record + 4 * *kind.softening, order), to.softenings);
}

/// Appends `count` bodies from `first` on, whose records begin at `offset`. `taken`: number of bodies already removed
/// from `to`.
template <std::endian order>
void add_records(InputFile& file, const Header& header, std::uintmax_t offset, std::uint64_t first, std::size_t count,
                 std::size_t taken, Gathered& to, FileProgress& progress) {
    std::vector<std::byte> block;
    for (std::size_t k = 0; k < 3; ++k) {
        const Kind& kind = kKinds[k];
        const auto here = static_cast<std::uint64_t>(header.counts[k]), skipped = std::min(first, here);
        auto left = static_cast<std::size_t>(std::min<std::uint64_t>(count, here - skipped));
        std::uintmax_t at = offset + skipped * kind.bytes();
        first -= skipped, count -= left, offset += here * kind.bytes();
        for (; left > 0; progress.reach(at)) {
            const std::size_t now = std::min(left, kBlock / kind.bytes());
            block.resize(now * kind.bytes());
            file.seek(at);
            file.read(block);
            for (std::size_t i = 0; i < now; ++i, at += kind.bytes())
                add_record<order>(block.data() + i * kind.bytes(), kind, header.with_ids, at, file, taken, to);
            left -= now;
            if (header.counts[1] != header.bodies) to.bodies.species.resize(to.bodies.size(), kind.species);
        }
    }
}

constexpr std::uint64_t kSampled = 1 << 16;
/// Bodies that have softening lengths: all but gas, whose records come first. Every length_stride()th is sampled.
std::uint64_t with_softening(const Header& header) {
    return static_cast<std::uint64_t>(header.counts[1]) + static_cast<std::uint64_t>(header.counts[2]);
}
std::uint64_t length_stride(const Header& header) {
    return std::max<std::uint64_t>(1, (with_softening(header) + kSampled - 1) / kSampled);
}

template <std::endian order>
Gathered read_records(InputFile& file, const Header& header, std::uintmax_t offset) {
    Gathered result;
    const auto count = static_cast<std::size_t>(header.bodies);
    require_memory_for(file.path(), count);
    result.bodies.position_mass.reserve(count);  // check() has confirmed the count: 56 bytes per 36 or more in the file
    result.bodies.velocity.reserve(count);
    result.stride = length_stride(header);
    FileProgress progress{"reading", file.size()};
    add_records<order>(file, header, offset, 0, count, 0, result, progress);
    return result;
}

/// The median of the softening lengths in the file, of at most kSampled of them. Values beyond a quarter of the median
/// radius would smooth the system away; they are ignored, since some files store other data in this field.
double softening_of(std::vector<float> lengths, const BodySurvey& all) {
    if (lengths.empty()) return all.softening();
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    const double median = static_cast<double>(*middle);
    const double radius = all.median_radius();
    return radius > 0 && median > 0.25 * radius ? all.softening() : median;
}

void note_without_ids(Scene& scene) {
    scene.notes.push_back(scene.id + ": gas has no ids in TIPSY version 2; the bodies are read without ids");
}

/// Reads the file up to its first record, and returns the offset of that record.
template <std::endian order>
std::size_t open_records(InputFile& file, Header& header) {
    if (file.size() < kBareHeader)
        usage_error(fmt::format("{}: truncated: expected a TIPSY header of {} bytes, found {}", file.path().string(),
                                kBareHeader, file.size()));
    std::array<std::byte, kPaddedHeader> bytes;
    file.read(std::span{bytes}.first(kBareHeader));
    header = load_header<order>(bytes);
    const std::size_t start = check(header, file);
    if (start > kBareHeader) {
        file.read(std::span{bytes}.first(start - kBareHeader));
        header.with_ids = load<std::int32_t>(bytes.data(), order) == kVersionWithIds;
    }
    return start;
}

template <std::endian order>
class RecordRows final : public SnapshotRows {
public:
    RecordRows(const std::filesystem::path& path, WithIds ids) : file_{path} {
        start_ = open_records<order>(file_, header_);
        size_ = static_cast<std::uint64_t>(header_.bodies);
        about_.id = about_.label = path.filename().string();
        about_.time = header_.time;
        with_ids_ = ids == WithIds::kYes && header_.with_ids && header_.counts[0] == 0;
        if (header_.with_ids && header_.counts[0] > 0) note_without_ids(about_);
    }
    void read(std::uint64_t first, std::size_t count, Bodies& into) override {
        FileProgress none{"reading", 0};
        Gathered some;
        some.bodies.position_mass.swap(into.position_mass), some.bodies.velocity.swap(into.velocity);
        some.bodies.position_mass.clear(), some.bodies.velocity.clear();
        add_records<order>(file_, header_, start_, first, count, static_cast<std::size_t>(first), some, none);
        into = std::move(some.bodies);
        if (!with_ids_) into.ids.clear();
    }
    double softening(const BodySurvey& all) const override {
        std::vector<float> lengths;
        if (!header_.with_ids) {
            InputFile again{file_.path()};
            const std::uint64_t gas = static_cast<std::uint64_t>(header_.counts[0]), others = with_softening(header_);
            for (std::uint64_t i = 0; i < others; i += length_stride(header_)) read_length(again, gas, i, lengths);
        }
        return softening_of(std::move(lengths), all);
    }

private:
    void read_length(InputFile& file, std::uint64_t gas, std::uint64_t i, std::vector<float>& to) const {
        const auto dark = static_cast<std::uint64_t>(header_.counts[1]);
        const Kind& kind = kKinds[i < dark ? 1 : 2];
        const std::uint64_t before = gas * kKinds[0].bytes() + std::min(i, dark) * kKinds[1].bytes();
        std::array<std::byte, sizeof(float)> bytes;
        file.seek(start_ + before + (i - std::min(i, dark)) * kind.bytes() + 4 * *kind.softening);
        file.read(bytes);
        add_length(load<float>(bytes.data(), order), to);
    }

    InputFile file_;
    Header header_{};
    std::size_t start_ = 0;
    bool with_ids_ = false;
};

template <std::endian order>
std::unique_ptr<SnapshotRows> rows(const std::filesystem::path& path, WithIds ids) {
    return std::make_unique<RecordRows<order>>(path, ids);
}

template <std::endian order>
Scene read(const std::filesystem::path& path) {
    InputFile file{path};
    Header header{};
    const std::size_t start = open_records<order>(file, header);
    Gathered gathered = read_records<order>(file, header, start);
    Scene scene;
    scene.id = scene.label = path.filename().string();
    BodySurvey survey{gathered.bodies.size()};
    survey.add(0, gathered.bodies.position_mass, gathered.bodies.velocity);
    scene.gravity.softening = softening_of(std::move(gathered.softenings), survey);
    scene.bodies = std::move(gathered.bodies);
    scene.time = header.time;
    scene.dt = suggested_dt(scene.bodies, scene.gravity);
    if (header.with_ids && header.counts[0] > 0) {
        scene.bodies.ids = {};
        note_without_ids(scene);
    }
    note_duplicate_ids(scene);
    return scene;
}

template <std::endian order>
SnapshotHead head(const std::filesystem::path& path) {
    InputFile file{path};
    std::array<std::byte, kBareHeader> bytes;
    file.read(bytes);
    const Header header = load_header<order>(bytes);
    check(header, file);
    return {header.time, static_cast<std::uint64_t>(header.bodies), 1};
}

/// Throws unless TIPSY can hold the scene: G = 1, a number of bodies within its counts, values in single precision.
void check_fits(const Scene& scene, const BodyStretches& bodies, const std::string& path) {
    check_single_precision(bodies, path, "TIPSY", std::numeric_limits<std::int32_t>::max());
    check_unit_constant(scene, path, "TIPSY");
    if (!std::isfinite(static_cast<float>(scene.gravity.softening)))
        usage_error(fmt::format("{}: softening {} does not fit TIPSY's single precision; write CSV", path,
                                scene.gravity.softening));
}

std::array<std::int32_t, 3> counts_of(const BodyStretches& bodies) {
    std::array<std::int32_t, 3> counts{};
    for (std::size_t i = 0; i < bodies.size(); ++i) ++counts[kind_of(bodies.species_of(i))];
    return counts;
}

/// Writes the smoothing length of gas or the softening of other bodies; TIPSY's other fields are 0.
template <std::endian order>
void put_record(std::byte*& to, const Vec4d& p, const Vec3d& v, double softening, const Kind& kind) {
    constexpr std::size_t kSmoothing = 9;
    const std::array q{p.w, p.x, p.y, p.z, v.x, v.y, v.z};
    for (std::size_t i = 0; i < kind.floats; ++i) {
        const double other = i == kind.softening.value_or(kSmoothing) ? softening : 0;
        store(to, static_cast<float>(i < q.size() ? q[i] : other), order);
    }
}

template <std::endian order>
void write_records(const BodyStretches& bodies, double softening, std::size_t which, OutputFile& file,
                   FileProgress& progress) {
    const Kind& kind = kKinds[which];
    std::vector<std::byte> block(kBlock / kind.bytes() * kind.bytes());
    std::byte* to = block.data();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (kind_of(bodies.species_of(i)) != which) continue;
        put_record<order>(to, bodies.position_mass(i), bodies.velocity(i), softening, kind);
        if (to != block.data() + block.size()) continue;
        file.write(Bytes{block.data(), to});
        to = block.data();
        progress.add(kBlock / kind.bytes());
    }
    file.write(Bytes{block.data(), to});
}

template <std::endian order>
void write(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    check_fits(scene, bodies, path.string());
    OutputFile file{path, Durable::kYes};
    std::array<std::byte, kPaddedHeader> head;
    std::byte* to = head.data();
    const auto counts = counts_of(bodies);
    store(to, scene.time, order);
    for (const std::int32_t value : {counts[0] + counts[1] + counts[2], 3, counts[0], counts[1], counts[2], 0})
        store(to, value, order);
    file.write(head);
    FileProgress progress{"writing", bodies.size(), kKinds[1].bytes()};
    for (std::size_t k = 0; k < 3; ++k)
        if (counts[k] > 0) write_records<order>(bodies, scene.gravity.softening, k, file, progress);
    file.commit();
}

/// A field in the records, and the float at which it begins in those of gas, dark and star bodies; 0: they have none.
struct RecordField {
    std::string_view name, what;
    std::uint64_t components;
    std::array<std::size_t, 3> at;
};
constexpr std::size_t kMass = 16;  // in place of 0, which is a float too
constexpr std::array kRecordFields{RecordField{"mass", "mass", 1, {kMass, kMass, kMass}},
                                   RecordField{"pos", "position", 3, {1, 1, 1}},
                                   RecordField{"vel", "velocity", 3, {4, 4, 4}},
                                   RecordField{"rho", "density", 1, {7, 0, 0}},
                                   RecordField{"temp", "temperature", 1, {8, 0, 0}},
                                   RecordField{"hsmooth", "smoothing length", 1, {9, 0, 0}},
                                   RecordField{"metals", "mass fraction of metals", 1, {10, 0, 7}},
                                   RecordField{"tform", "time of formation", 1, {0, 0, 8}},
                                   RecordField{"eps", "softening length", 1, {0, 7, 9}},
                                   RecordField{"phi", "potential", 1, {11, 8, 10}}};

/// Ids are in place of softening and potential in version 2, except for gas.
bool has(const RecordField& field, std::size_t kind, const Header& header) {
    return field.at[kind] != 0 && !(header.with_ids && kind != 0 && (field.name == "eps" || field.name == "phi"));
}

template <std::endian order>
std::vector<FieldInfo> list_fields(const std::filesystem::path& path) {
    InputFile file{path};
    Header header{};
    open_records<order>(file, header);
    std::vector<FieldInfo> all;
    for (const RecordField& field : kRecordFields) {
        FieldInfo info{
            .name = std::string{field.name}, .what = std::string{field.what}, .components = field.components};
        for (std::size_t k = 0; k < kKinds.size(); ++k) {
            if (!has(field, k, header) || header.counts[k] == 0) continue;
            info.species.set(static_cast<std::size_t>(kKinds[k].species));
            info.bodies += static_cast<std::uint64_t>(header.counts[k]);
        }
        if (info.bodies > 0) all.push_back(std::move(info));
    }
    for (FieldInfo& array : list_tipsy_arrays(path, static_cast<std::uint64_t>(header.bodies)))
        all.push_back(std::move(array));
    return all;
}

template <std::endian order>
void read_field_of_records(const std::filesystem::path& path, const FieldInfo& field, const TakeNumbers& take) {
    InputFile file{path};
    Header header{};
    open_records<order>(file, header);
    const auto found = std::ranges::find(kRecordFields, field.name, &RecordField::name);
    if (found == kRecordFields.end())
        return read_tipsy_array(path, field, static_cast<std::uint64_t>(header.bodies), take);
    const auto width = static_cast<std::size_t>(field.components);
    std::vector<std::byte> block;
    std::vector<double> numbers;
    for (std::size_t k = 0; k < kKinds.size(); ++k) {
        const Kind& kind = kKinds[k];
        const std::size_t at = found->at[k] % kMass;
        for (std::size_t left = static_cast<std::size_t>(header.counts[k]); left > 0;) {
            const std::size_t now = std::min(left, kBlock / kind.bytes());
            block.resize(now * kind.bytes());
            file.read(block);
            numbers.assign(now * width, std::numeric_limits<double>::quiet_NaN());
            if (has(*found, k, header))
                for (std::size_t i = 0; i < now * width; ++i) {
                    const std::size_t place = i / width * kind.floats + at + i % width;
                    numbers[i] = static_cast<double>(load<float>(block.data() + 4 * place, order));
                }
            take(numbers);
            left -= now;
        }
    }
}

template <std::endian order>
constexpr FieldReaders kFieldReaders{list_fields<order>, read_field_of_records<order>};

constexpr std::array<std::string_view, 1> kNativeExtensions{".tipsy"};
constexpr std::array<std::string_view, 2> kStandardExtensions{".std.tipsy", ".std"};

}  // namespace

const FormatEntry& tipsy_native() {
    static const FormatEntry entry{"tipsy",
                                   "TIPSY native",
                                   "little-endian TIPSY; gas, dark and star bodies; "
                                   "G = 1, single precision, no names",
                                   kNativeExtensions,
                                   {.softening = true, .species = true},
                                   recognises<std::endian::little>,
                                   read<std::endian::little>,
                                   write<std::endian::little>,
                                   {},
                                   head<std::endian::little>,
                                   rows<std::endian::little>,
                                   &kFieldReaders<std::endian::little>};
    return entry;
}

const FormatEntry& tipsy_standard() {
    static const FormatEntry entry{"tipsy-standard",
                                   "TIPSY standard",
                                   "big-endian TIPSY; gas, dark and star bodies; G = "
                                   "1, single precision, no names",
                                   kStandardExtensions,
                                   {.softening = true, .species = true},
                                   recognises<std::endian::big>,
                                   read<std::endian::big>,
                                   write<std::endian::big>,
                                   {},
                                   head<std::endian::big>,
                                   rows<std::endian::big>,
                                   &kFieldReaders<std::endian::big>};
    return entry;
}

}  // namespace orrery
