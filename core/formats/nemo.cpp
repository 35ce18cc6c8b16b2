// SPDX-License-Identifier: MIT
#include "core/formats/nemo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <initializer_list>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/limits.hpp"

namespace orrery {
namespace nemo_files {
namespace {

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

bool keys_fit(const std::vector<std::uint64_t>& ids) { return !ids.empty() && std::ranges::max(ids) <= kMostBodies; }

void write_particles(Sink& to, const Scene& scene) {
    const Bodies& bodies = scene.bodies;
    const std::size_t count = bodies.size();
    FileProgress progress{"writing", count, 64};
    header(to, "i", "CoordSystem");
    to.put(kCartesian);
    header(to, "d", "Mass", {count});
    for (const Vec4d& p : bodies.position_mass) to.put(p.w);
    header(to, "d", "PhaseSpace", {count, 2, 3});
    for (std::size_t i = 0; i < count; ++i) {
        const Vec4d& p = bodies.position_mass[i];
        const Vec3d& v = bodies.velocity[i];
        for (const double q : {p.x, p.y, p.z, v.x, v.y, v.z}) to.put(q);
        progress.add(1);
    }
    header(to, "d", "Eps", {count});
    for (std::size_t i = 0; i < count; ++i) to.put(scene.gravity.softening);
    if (!keys_fit(bodies.ids)) return;
    header(to, "i", "Key", {count});
    for (const std::uint64_t id : bodies.ids) to.put(static_cast<std::int32_t>(id));
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

void write(const Scene& scene, const std::filesystem::path& path) {
    validate(scene.bodies, path.string());
    check_unit_constant(scene, path.string(), "NEMO");
    if (scene.bodies.size() > kMostBodies)
        usage_error(
            fmt::format("{}: NEMO holds at most {} bodies, found {}", path.string(), kMostBodies, scene.bodies.size()));
    OutputFile file{path, Durable::kYes};
    Sink to{file};
    header(to, "(", "SnapShot");
    header(to, "(", "Parameters");
    header(to, "i", "Nobj");
    to.put(static_cast<std::int32_t>(scene.bodies.size()));
    header(to, "d", "Time");
    to.put(scene.time);
    header(to, ")", "");
    header(to, "(", "Particles");
    write_particles(to, scene);
    header(to, ")", "");
    header(to, ")", "");
    to.flush();
    file.commit();
}

}  // namespace nemo_files

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
        .write = nemo_files::write};
    return entry;
}

}  // namespace orrery
