// SPDX-License-Identifier: MIT
#include "core/formats/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/film_formats.hpp"
#include "core/formats/gadget.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/nemo.hpp"
#include "core/formats/snapshot_rows.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/pair_law.hpp"

// The formats, a line each, in the order in which they are tried: a function that returns the entry.
#define ORRERY_FORMATS(FORMAT) \
    FORMAT(checkpoint_format)  \
    FORMAT(gadget_hdf5_format) \
    FORMAT(gadget_1)           \
    FORMAT(gadget_1_big)       \
    FORMAT(gadget_2)           \
    FORMAT(gadget_2_big)       \
    FORMAT(nemo)               \
    FORMAT(tipsy_native)       \
    FORMAT(tipsy_standard)     \
    FORMAT(ply)                \
    FORMAT(csv)

namespace orrery {

#define ORRERY_DECLARE(name) const FormatEntry& name();
ORRERY_FORMATS(ORRERY_DECLARE)

namespace {

constexpr std::size_t kHead = 4096;

std::string known_extensions() {
    std::vector<std::string_view> all;
    for (const auto menu : {formats(), film_formats()})
        for (const FormatEntry& entry : menu) all.insert(all.end(), entry.extensions.begin(), entry.extensions.end());
    return fmt::format("{}", fmt::join(all, ", "));
}

/// Returns the entry with the longest extension that ends the name, so that .std.tipsy wins over .tipsy; null if none.
const FormatEntry* by_extension(const std::filesystem::path& path, std::span<const FormatEntry> menu = formats()) {
    const std::string name = lower_case(path.filename().string());
    const FormatEntry* best = nullptr;
    std::size_t longest = 0;
    for (const FormatEntry& entry : menu)
        for (const std::string_view extension : entry.extensions)
            if (extension.size() > longest && extension.size() < name.size() && name.ends_with(extension))
                best = &entry, longest = extension.size();
    return best;
}

/// True if a line has at least the four numbers that a body needs: mass and position.
bool has_row_of_numbers(std::span<const std::byte> head) {
    constexpr std::ptrdiff_t kLeastNumbers = 4;
    std::istringstream lines{std::string{reinterpret_cast<const char*>(head.data()), head.size()}};
    for (std::string line; std::getline(lines, line);) {
        std::ranges::replace_if(
            line, [](char c) { return c == ',' || c == ';' || c == '|'; }, ' ');
        std::istringstream words{line};
        std::ptrdiff_t numbers = 0;
        for (std::string word; words >> word;) numbers += csv_text::number(word) ? 1 : 0;
        if (numbers >= kLeastNumbers && !line.starts_with('#')) return true;
    }
    return false;
}

std::vector<std::byte> head_of(InputFile& file) {
    std::vector<std::byte> head(static_cast<std::size_t>(std::min<std::uintmax_t>(kHead, file.size())));
    file.read(head);
    return head;
}

/// Refuses compressed files, archives and text in other encodings, recognised by their first bytes.
void refuse_packed(std::span<const std::byte> head, const std::filesystem::path& path) {
    struct Packed {
        std::string_view magic, what, remedy;
    };
    using namespace std::string_view_literals;
    static constexpr std::array kPacked{
        Packed{"\x1f\x8b"sv, "is compressed by gzip twice", "gunzip -k"},
        Packed{"BZh"sv, "is compressed by bzip2", "bunzip2 -k"},
        Packed{"\xfd"
               "7zXZ"sv,
               "is compressed by xz", "unxz -k"},
        Packed{"\x28\xb5\x2f\xfd"sv, "is compressed by zstd", "unzstd"},
        Packed{"PK\x03\x04"sv, "is a ZIP archive", "unzip"},
        Packed{"\xff\xfe"sv, "is text in UTF-16", "iconv -f UTF-16 -t UTF-8 -o NEW.csv"},
        Packed{"\xfe\xff"sv, "is text in UTF-16", "iconv -f UTF-16 -t UTF-8 -o NEW.csv"}};
    const std::string_view bytes{reinterpret_cast<const char*>(head.data()), head.size()};
    for (const Packed& packed : kPacked)
        if (bytes.starts_with(packed.magic))
            usage_error(fmt::format("{}: {}, which is not read; unpack it first: {} '{}'", path.string(), packed.what,
                                    packed.remedy, path.string()));
}

/// Returns read(path), or read() of the unpacked file if `path` is compressed by gzip. Errors name `path`.
template <class Read>
auto of_unpacked(const std::filesystem::path& path, const Read& read) {
    const PlainFile plain{path};
    try {
        return read(plain.path());
    } catch (const Error& error) {
        throw Error{error.blame(), plain.named(error.what())};
    }
}

/// Names the scene, and its notes, after the compressed file.
void name_after(const std::filesystem::path& path, Scene& scene) {
    const std::string unpacked = unpacked_name(path).string() + ":", packed = path.filename().string();
    if (scene.id + ":" == unpacked) scene.id = packed;
    if (scene.label + ":" == unpacked) scene.label = packed;
    for (std::string& note : scene.notes)
        if (note.starts_with(unpacked)) note.replace(0, unpacked.size() - 1, packed);
}

/// Recognises the format from the content; throws as read_snapshot() does.
const FormatEntry& format_of(const std::filesystem::path& path) {
    InputFile file{path};
    const auto head = head_of(file);
    for (const auto menu : {film_formats(), formats()})  // USD is text, which a table could be
        for (const FormatEntry& entry : menu)
            if (entry.recognises(head, file.size(), path)) return entry;
    refuse_packed(head, path);
    if (nemo_files::is_old_style(head))
        usage_error(
            fmt::format("{}: an old-style NEMO file, which is not read; convert it by a NEMO of that "
                        "time, or its tsf",
                        path.string()));
    // The content is not recognised: let the reader that the extension suggests report what is wrong.
    if (const FormatEntry* promised = by_extension(path)) return *promised;
    usage_error(fmt::format("{}: not a snapshot in a known format; tried: {}", path.string(), ids(formats())));
}

/// Reads a file and applies the checks common to all formats.
Scene read_by(const FormatEntry& entry, const std::filesystem::path& path) {
    Scene scene = entry.read(path);
    if (std::ranges::none_of(scene.bodies.position_mass, [](const Vec4d& p) { return p.w > 0; }))
        usage_error(fmt::format("{}: no body has a mass", path.string()));
    note_massless(scene);
    return scene;
}

}  // namespace

std::span<const FormatEntry> formats() {
#define ORRERY_ENTRY(name) name(),
    static const std::vector<FormatEntry> menu{ORRERY_FORMATS(ORRERY_ENTRY)};
    return menu;
}

std::span<const FormatEntry> film_formats() {
    static const std::array menu{vdb(), usda()};
    return menu;
}

const FormatEntry& format(std::string_view id) {
    const auto film = std::ranges::find(film_formats(), id, &FormatEntry::id);
    return film != film_formats().end() ? *film : find_in_menu(formats(), "format", id);
}

namespace {

SnapshotFacts facts_of(const FormatEntry& entry, const Scene& scene) {
    SnapshotFacts facts{.format = std::string{entry.label}};
    for (const Species species : scene.bodies.species) ++facts.of_species[static_cast<std::size_t>(species)];
    // A checkpoint states the values of its run, however they were chosen.
    if (entry.id == checkpoint_format().id || !attracts_masses(scene.gravity.law)) return facts;
    facts.softening_suggested = scene.gravity.softening == suggested_softening(scene.bodies);
    facts.dt_suggested = scene.dt == suggested_dt(scene.bodies, scene.gravity);
    return facts;
}

Scene read_with(const std::filesystem::path& path, SnapshotFacts* facts) {
    Scene scene = of_unpacked(path, [facts](const std::filesystem::path& file) {
        const FormatEntry& entry = format_of(file);
        Scene read = read_by(entry, file);
        if (facts) *facts = facts_of(entry, read);
        return read;
    });
    name_after(path, scene);
    return scene;
}

}  // namespace

Scene read_snapshot(const std::filesystem::path& path) { return read_with(path, nullptr); }

Scene read_snapshot(const std::filesystem::path& path, SnapshotFacts& facts) { return read_with(path, &facts); }

namespace {

Scene read_all(SnapshotRows& rows, const TakeBodies& take) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 17;
    FileProgress progress{"reading", rows.size(), sizeof(Vec4d)};
    Bodies some;
    for (std::uint64_t first = 0; first < rows.size(); first += kAtOnce) {
        rows.read(first, static_cast<std::size_t>(std::min<std::uint64_t>(kAtOnce, rows.size() - first)), some);
        take(some);
        progress.add(some.size());
    }
    return rows.about();
}

}  // namespace

Scene read_snapshot_in_parts(const std::filesystem::path& path, const TakeBodies& take) {
    Scene scene = of_unpacked(path, [&](const std::filesystem::path& file) {
        const FormatEntry& entry = format_of(file);
        if (entry.rows) return read_all(*entry.rows(file, WithIds::kNo), take);
        Scene whole = entry.read(file);
        take(whole.bodies);
        whole.bodies = {};
        return whole;
    });
    name_after(path, scene);
    return scene;
}

std::unique_ptr<SnapshotRows> open_rows(const std::filesystem::path& path, SnapshotFacts& facts) {
    InputFile file{path};
    if (is_gzip(head_of(file))) return nullptr;
    const FormatEntry& entry = format_of(path);
    facts.format = entry.label;
    return entry.rows ? entry.rows(path, WithIds::kYes) : nullptr;
}

void with_format(const std::filesystem::path& path,
                 const std::function<void(const FormatEntry& entry, const std::filesystem::path& plain)>& use) {
    of_unpacked(path, [&](const std::filesystem::path& file) {
        use(format_of(file), file);
        return 0;
    });
}

SnapshotHead read_head(const std::filesystem::path& path) {
    return of_unpacked(path, [](const std::filesystem::path& file) -> SnapshotHead {
        const FormatEntry& entry = format_of(file);
        if (entry.head) return entry.head(file);
        const Scene scene = read_by(entry, file);
        return {scene.time, scene.bodies.size(), 1, scene.box, expansion_of(scene)};
    });
}

bool may_have_times(const std::filesystem::path& path) {
    std::uintmax_t size = 0;
    std::vector<std::byte> head;
    {
        InputFile file{path};
        head = head_of(file), size = file.size();
    }
    const bool packed = is_gzip(head);
    if (packed) head = unpacked_head(path, kHead), size = head.size();
    const auto found =
        std::ranges::find_if(formats(), [&](const FormatEntry& entry) { return entry.recognises(head, size, path); });
    return found != formats().end() && found->id == csv().id && (packed || times_in_csv(path));
}

std::vector<std::filesystem::path> split_by_time(const std::filesystem::path& path,
                                                 const std::filesystem::path& folder) {
    return of_unpacked(path, [&](const std::filesystem::path& file) {
        return format_of(file).id == csv().id ? split_csv(file, folder) : std::vector<std::filesystem::path>{};
    });
}

bool may_be_snapshot(const std::filesystem::path& path) {
    const auto is_promised = [](const std::filesystem::path& name) {
        const std::string extension = lower_case(name.extension().string());
        return by_extension(name) && extension != ".txt" && extension != ".dat";
    };
    if (is_promised(path)) return true;
    InputFile file{path};
    auto head = head_of(file);
    const bool packed = is_gzip(head);
    const std::filesystem::path name = packed ? unpacked_name(path) : path;
    if (is_promised(name)) return true;
    if (packed) head = unpacked_head(path, kHead);
    if (by_extension(name) && has_row_of_numbers(head)) return true;  // notes and logs use these extensions too
    return std::ranges::any_of(formats(), [&](const FormatEntry& entry) {
        return entry.id != "csv" && entry.recognises(head, packed ? head.size() : file.size(), path);
    });
}

const FormatEntry& format_for(const std::filesystem::path& path) {
    for (const auto menu : {formats(), film_formats()})
        if (const FormatEntry* entry = by_extension(path, menu)) return *entry;
    usage_error(fmt::format("{}: unknown extension, expected one of: {}", path.string(), known_extensions()));
}

void write_snapshot(const Scene& scene, const std::filesystem::path& path) {
    write_snapshot(scene, BodyStretches{scene.bodies}, path);
}

void write_snapshot(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    format_for(path).write(scene, bodies, path);
}

}  // namespace orrery
