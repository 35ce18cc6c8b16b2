// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/input_file.hpp"

namespace orrery::hdf5 {
namespace {

constexpr int kVersion = 1;
static_assert(sizeof(Vec4d) == 32 && sizeof(Vec3d) == 24 && std::endian::native == std::endian::little);

/// FNV-1a over words of 64 bits (Fowler, Noll, Vo), the last filled up with zeros: each step can be undone, so that any
/// one changed word changes the sum.
class Checksum {
public:
    void add(std::span<const std::byte> bytes) {  // whole words, but for the last call
        for (std::size_t i = 0; i < bytes.size(); i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
            sum_ = (sum_ ^ word) * 0x100000001b3ull;
        }
    }
    std::uint64_t value() const { return sum_; }

private:
    std::uint64_t sum_ = 0xcbf29ce484222325ull;
};

std::uint64_t checksum_of(InputFile& file) {
    Checksum sum;
    file.seek(kCheckpointBlock);
    std::vector<std::byte> block;
    while (file.position() < file.size()) {
        block.resize(static_cast<std::size_t>(std::min<std::uintmax_t>(kBlock, file.size() - file.position())));
        file.read(block);
        sum.add(block);
    }
    return sum.value();
}

/// The text at the beginning: one line, filled up with line ends.
std::string block_text(std::uint64_t bytes, std::uint64_t sum) {
    std::string text = fmt::format("{}{} bytes={} fnv1a={:016x}\n", kCheckpointMagic, kVersion, bytes, sum);
    text.resize(kCheckpointBlock, '\n');
    return text;
}

/// Tests version, size and checksum, so that the library gets only what we wrote.
void check_whole(const std::filesystem::path& path) {
    InputFile file{path};
    const auto refuse = [&](const std::string& what) { usage_error(fmt::format("{}: {}", path.string(), what)); };
    if (file.size() < kCheckpointBlock) refuse("truncated: ends within its first 512 bytes");
    std::string text(kCheckpointBlock, '\0');
    file.read(std::as_writable_bytes(std::span{text}));
    if (!text.starts_with(kCheckpointMagic)) refuse("byte 0: expected \"orrery checkpoint\"");
    int version = 0;
    const char* digits = text.data() + kCheckpointMagic.size();
    std::from_chars(digits, text.data() + text.size(), version);
    if (version != kVersion) refuse(fmt::format("expected a checkpoint of version {}, found {}", kVersion, version));
    const std::string found = block_text(file.size(), checksum_of(file));
    if (text != found)
        refuse(fmt::format("was cut or changed: expected \"{}\", found size and checksum \"{}\"",
                           text.substr(0, std::min<std::size_t>(text.find('\n'), 80)),
                           found.substr(0, found.find('\n'))));
}

/// Calls f(first, count) for stretches of rows, with a bar where there are many.
template <class F>
void in_stretches(const char* doing, std::uint64_t rows, F f) {
    std::optional<Progress> progress;
    if (rows * sizeof(Vec4d) >= kShowProgress) progress.emplace(doing, rows);
    for (std::uint64_t first = 0; first < rows; first += kRows) {
        f(first, std::min(kRows, rows - first));
        if (progress) progress->update(first);
    }
}

template <class T>
void write_column(Writer& file, const char* name, const std::vector<T>& from, std::uint64_t columns, hid_t type) {
    const Column column = file.column(name, from.size(), columns, type);
    in_stretches("writing", from.size(), [&](std::uint64_t first, std::uint64_t count) {
        file.write(column, first, count, type, from.data() + first);
    });
}

template <class T>
void read_column(const Reader& file, const char* name, std::uint64_t rows, std::uint64_t columns, hid_t type,
                 std::vector<T>& into) {
    const auto kind = H5Tget_class(type);
    const Column column = file.column(name, rows, columns, kind);
    into.resize(static_cast<std::size_t>(rows));
    in_stretches("reading", rows, [&](std::uint64_t first, std::uint64_t count) {
        file.read(column, name, first, count, type, into.data() + first);
    });
}

/// Names one after the other, and where each ends.
void write_names(Writer& file, const std::vector<std::string>& names) {
    std::vector<std::uint64_t> ends;
    std::vector<char> letters;
    for (const std::string& name : names) {
        letters.insert(letters.end(), name.begin(), name.end());
        ends.push_back(letters.size());
    }
    write_column(file, "name_ends", ends, 1, H5T_NATIVE_UINT64);
    if (!letters.empty()) write_column(file, "name_letters", letters, 1, H5T_NATIVE_CHAR);
}

void read_names(const Reader& file, std::uint64_t count, std::vector<std::string>& names) {
    std::vector<std::uint64_t> ends;
    read_column(file, "name_ends", count, 1, H5T_NATIVE_UINT64, ends);
    if (!std::ranges::is_sorted(ends)) file.refuse("data set name_ends: expected rising numbers");
    std::vector<char> letters;
    if (ends.back() > 0) read_column(file, "name_letters", ends.back(), 1, H5T_NATIVE_CHAR, letters);
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
        names.emplace_back(letters.data() + begin, letters.data() + end);
        begin = end;
    }
}

void read_bodies(const Reader& file, Bodies& bodies) {
    const double count = file.number("/", "bodies").value_or(0);
    if (!(count >= 1) || count > 1e15) file.refuse("attribute bodies: expected a number of bodies");
    const auto rows = static_cast<std::uint64_t>(count);
    read_column(file, "position_mass", rows, 4, H5T_NATIVE_DOUBLE, bodies.position_mass);
    read_column(file, "velocity", rows, 3, H5T_NATIVE_DOUBLE, bodies.velocity);
    if (file.has("ids")) read_column(file, "ids", rows, 1, H5T_NATIVE_UINT64, bodies.ids);
    if (file.has("name_ends")) read_names(file, rows, bodies.names);
    if (!file.has("species")) return;
    read_column(file, "species", rows, 1, H5T_NATIVE_UINT8, bodies.species);
    if (!std::ranges::all_of(bodies.species, [](Species s) { return static_cast<std::size_t>(s) < kSpeciesCount; }))
        file.refuse("data set species: expected numbers from 0 to 5");
}

}  // namespace

Scene read_checkpoint(const std::filesystem::path& path) {
    check_whole(path);
    const Reader file{path};
    Scene scene;
    scene.id = path.filename().string();
    scene.label = file.text("/", "label").value_or(scene.id);
    read_bodies(file, scene.bodies);
    const auto number = [&](const char* name, double least) {
        const auto value = file.number("/", name);
        if (!value || !std::isfinite(*value) || *value < least)
            file.refuse(fmt::format("attribute {}: missing or out of range", name));
        return *value;
    };
    constexpr double any = -std::numeric_limits<double>::max(), above_zero = std::numeric_limits<double>::denorm_min();
    scene.gravity = {number("G", above_zero), number("softening", 0)};
    scene.dt = number("dt", above_zero);
    scene.time = number("time", any);
    scene.days_per_time = number("days_per_time", 0);
    scene.steps_per_frame = static_cast<int>(std::min(number("steps_per_frame", 1), 1e6));
    scene.length_unit = file.text("/", "length_unit").value_or("");
    scene.mass_unit = file.text("/", "mass_unit").value_or("");
    validate(scene.bodies, path.string());
    note_duplicate_ids(scene);
    return scene;
}

void write_checkpoint(const Scene& scene, const std::filesystem::path& path) {
    const Bodies& bodies = scene.bodies;
    validate(bodies, path.string());
    Writer file{path, kCheckpointBlock};
    file.number("/", "bodies", static_cast<double>(bodies.size()));
    file.number("/", "G", scene.gravity.constant);
    file.number("/", "softening", scene.gravity.softening);
    file.number("/", "dt", scene.dt);
    file.number("/", "time", scene.time);
    file.number("/", "days_per_time", scene.days_per_time);
    file.number("/", "steps_per_frame", scene.steps_per_frame);
    file.text("/", "label", scene.label);
    file.text("/", "length_unit", scene.length_unit);
    file.text("/", "mass_unit", scene.mass_unit);
    write_column(file, "position_mass", bodies.position_mass, 4, H5T_NATIVE_DOUBLE);
    write_column(file, "velocity", bodies.velocity, 3, H5T_NATIVE_DOUBLE);
    if (!bodies.ids.empty()) write_column(file, "ids", bodies.ids, 1, H5T_NATIVE_UINT64);
    if (!bodies.species.empty()) write_column(file, "species", bodies.species, 1, H5T_NATIVE_UINT8);
    if (!bodies.names.empty()) write_names(file, bodies.names);
    file.close();
    InputFile written{file.temporary()};
    const std::string text = block_text(written.size(), checksum_of(written));
    std::fstream begin{file.temporary(), std::ios::binary | std::ios::in | std::ios::out};
    begin.write(text.data(), static_cast<std::streamsize>(text.size()));
    begin.close();
    if (!begin) file.fail();
    file.commit();
}

}  // namespace orrery::hdf5
