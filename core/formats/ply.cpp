// SPDX-License-Identifier: MIT
// PLY, the polygon file format (Turk 1994): points for programs that make films, such as Blender, Houdini and MeshLab.
// A text header names the properties of a vertex; the vertices follow, in binary.
#include "core/formats/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/snapshot_rows.hpp"
#include "core/formats/suggest.hpp"

namespace orrery {
namespace ply_files {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kMagic = "ply\n", kEnd = "end_header\n";
constexpr std::size_t kMostHeader = 1 << 16, kMostProperties = 256;

/// A type of numbers, under both of its names.
struct Type {
    std::string_view name, alias;
    std::size_t bytes;
    double (*load)(const std::byte*, std::endian);
};
template <class T>
double load_as(const std::byte* from, std::endian order) {
    return static_cast<double>(load<T>(from, order));
}
constexpr std::array kTypes{
    Type{"char", "int8", 1, load_as<std::int8_t>},    Type{"uchar", "uint8", 1, load_as<std::uint8_t>},
    Type{"short", "int16", 2, load_as<std::int16_t>}, Type{"ushort", "uint16", 2, load_as<std::uint16_t>},
    Type{"int", "int32", 4, load_as<std::int32_t>},   Type{"uint", "uint32", 4, load_as<std::uint32_t>},
    Type{"float", "float32", 4, load_as<float>},      Type{"double", "float64", 8, load_as<double>}};

struct Property {
    std::string name;
    const Type* type;
    std::size_t at;  ///< offset in the record of a vertex
    double of(const std::byte* record, std::endian order) const { return type->load(record + at, order); }
};

struct Header {
    std::endian order = std::endian::little;
    std::uint64_t bodies = 0;
    std::size_t bytes = 0, record = 0;  ///< of the header; of a vertex
    bool more = false;                  ///< other elements follow, such as faces, which are not read
    std::vector<Property> properties;
    std::optional<double> time, constant, softening, dt;
    std::vector<std::pair<std::string, std::string>> units;  ///< of fields

    const Property* find(std::initializer_list<std::string_view> names) const {
        for (const std::string_view name : names)
            for (const Property& each : properties)
                if (each.name == name) return &each;
        return nullptr;
    }
};

[[noreturn]] void refuse(const InputFile& file, const std::string& what) {
    usage_error(fmt::format("{}: {}", file.path().string(), what));
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

/// "comment orrery time=… G=… softening=… dt=…" and "comment unit NAME UNIT".
void take_comment(const InputFile& file, const std::vector<std::string>& words, Header& header) {
    if (words.size() == 4 && words[1] == "unit") header.units.emplace_back(words[2], words[3]);
    if (words.size() < 2 || words[1] != "orrery") return;
    for (std::size_t k = 2; k < words.size(); ++k) {
        const std::size_t sign = words[k].find('=');
        const auto value = sign == std::string::npos ? std::nullopt : csv_text::number(words[k].substr(sign + 1));
        if (!value || !std::isfinite(*value)) refuse(file, fmt::format("expected NAME=NUMBER, found '{}'", words[k]));
        const std::string name = words[k].substr(0, sign);
        if (name == "time") header.time = value;
        if (name == "G") header.constant = value;
        if (name == "softening") header.softening = value;
        if (name == "dt") header.dt = value;
    }
}

void take_property(const InputFile& file, const std::vector<std::string>& words, Header& header) {
    if (words.size() > 1 && words[1] == "list") refuse(file, "a vertex has a list property, which is not supported");
    const auto type =
        words.size() == 3
            ? std::ranges::find_if(kTypes,
                                   [&](const Type& each) { return each.name == words[1] || each.alias == words[1]; })
            : kTypes.end();
    if (type == kTypes.end()) refuse(file, "expected 'property TYPE NAME' for a vertex");
    if (header.find({words[2]})) refuse(file, fmt::format("a vertex has two properties '{}'", words[2]));
    if (header.properties.size() == kMostProperties)
        refuse(file, fmt::format("a vertex has more than {} properties", kMostProperties));
    header.properties.push_back({words[2], &*type, header.record});
    header.record += type->bytes;
}

void take_element(const InputFile& file, const std::vector<std::string>& words, Header& header, bool& in_vertex) {
    if (words.size() != 3) refuse(file, "expected 'element NAME COUNT'");
    if (header.bodies > 0) {
        in_vertex = false;
        header.more = true;
        return;
    }
    if (words[1] != "vertex") refuse(file, fmt::format("its first element is '{}', expected 'vertex'", words[1]));
    const char* const end = words[2].data() + words[2].size();
    const auto [read, error] = std::from_chars(words[2].data(), end, header.bodies);
    if (error != std::errc{} || read != end) refuse(file, fmt::format("'{}' is not a number of vertices", words[2]));
    if (header.bodies == 0) refuse(file, "holds no bodies");
    in_vertex = true;
}

void take_format(const InputFile& file, const std::vector<std::string>& words, Header& header) {
    const std::string kind = words.size() > 1 ? words[1] : "";
    if (kind == "ascii") refuse(file, "is a PLY file in text; save it as binary PLY");
    if (kind != "binary_little_endian" && kind != "binary_big_endian")
        refuse(file, fmt::format("format '{}', expected binary_little_endian or binary_big_endian", kind));
    header.order = kind == "binary_big_endian" ? std::endian::big : std::endian::little;
}

std::string text_of_header(InputFile& file) {
    std::string text(static_cast<std::size_t>(std::min<std::uintmax_t>(kMostHeader, file.size())), '\0');
    file.read(std::as_writable_bytes(std::span{text}));
    const std::size_t end = text.find(kEnd);
    if (!text.starts_with(kMagic) || end == std::string::npos)
        refuse(file, text.starts_with(kMagic) ? "truncated: the header does not end" : "is not a PLY file");
    text.resize(end);
    return text;
}

Header read_header(InputFile& file) {
    const std::string text = text_of_header(file);
    Header header;
    header.bytes = text.size() + kEnd.size();
    bool in_vertex = false, has_format = false;
    for (std::size_t at = kMagic.size(); at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const std::vector<std::string> words = words_of(std::string_view{text}.substr(at, end - at));
        at = end == std::string::npos ? text.size() : end + 1;
        if (words.empty()) continue;
        if (words[0] == "comment" || words[0] == "obj_info")
            take_comment(file, words, header);
        else if (words[0] == "format")
            take_format(file, words, header), has_format = true;
        else if (words[0] == "element")
            take_element(file, words, header, in_vertex);
        else if (words[0] == "property" && in_vertex)
            take_property(file, words, header);
        else if (words[0] != "property")
            refuse(file, fmt::format("its header has a line that begins with '{}'", csv_text::shown(words[0])));
    }
    if (!has_format) refuse(file, "its header has no format");
    if (header.bodies == 0) refuse(file, "its header has no vertices");
    for (const std::string_view name : {"x", "y", "z"})
        if (!header.find({name})) refuse(file, fmt::format("its vertices have no property {}", name));
    const std::uintmax_t left = file.size() - header.bytes;
    if (left / header.record < header.bodies)
        refuse(file, fmt::format("truncated: expected {} vertices of {} bytes, found {} bytes", header.bodies,
                                 header.record, left));
    if (!header.more && left != header.bodies * header.record)
        refuse(file, fmt::format("too long: expected {} vertices of {} bytes, found {} bytes", header.bodies,
                                 header.record, left));
    return header;
}

/// The properties that are read into other members than fields.
struct Columns {
    std::array<const Property*, 7> numbers;  ///< mass, x, y, z, vx, vy, vz; null: none
    const Property *id, *species;

    explicit Columns(const Header& header)
        : numbers{header.find({"mass", "m"}), header.find({"x"}),  header.find({"y"}), header.find({"z"}),
                  header.find({"vx"}),        header.find({"vy"}), header.find({"vz"})},
          id{header.find({"id"})},
          species{header.find({"species"})} {}
};

/// `before`: number of bodies already removed from `to`.
void take_body(const InputFile& file, const std::byte* record, std::endian order, const Columns& columns,
               double equal_mass, std::uint64_t before, Bodies& to) {
    std::array<double, 7> q{};
    for (std::size_t k = 0; k < q.size(); ++k)
        q[k] = columns.numbers[k] ? columns.numbers[k]->of(record, order) : k == 0 ? equal_mass : 0;
    to.add({q[1], q[2], q[3]}, {q[4], q[5], q[6]}, q[0]);
    const std::uint64_t number = before + to.size() - 1;
    validate_body(file.path().string(), static_cast<std::size_t>(number), to.position_mass.back(), to.velocity.back());
    if (columns.id) {
        const double id = columns.id->of(record, order);
        if (!(id >= 0 && id < 0x1p53 && id == std::floor(id)))
            refuse(file, fmt::format("body {}: id is {}", number, id));
        to.ids.push_back(static_cast<std::uint64_t>(id));
    }
    if (columns.species) {
        const double species = columns.species->of(record, order);
        if (!(species >= 0 && species < double(kSpeciesCount) && species == std::floor(species)))
            refuse(file, fmt::format("body {}: species is {}, expected 0 to {}", number, species, kSpeciesCount - 1));
        to.species.push_back(static_cast<Species>(static_cast<unsigned>(species)));
    }
}

/// Calls take(record) for `count` vertices from `first` on.
template <class Take>
void for_vertices(InputFile& file, const Header& header, std::uint64_t first, std::uint64_t count,
                  FileProgress& progress, const Take& take) {
    file.seek(header.bytes + first * header.record);
    std::vector<std::byte> block;
    for (std::uint64_t left = count; left > 0;) {
        const std::uint64_t now = std::min<std::uint64_t>(left, std::max<std::size_t>(1, kBlock / header.record));
        block.resize(static_cast<std::size_t>(now) * header.record);
        file.read(block);
        for (std::size_t at = 0; at < block.size(); at += header.record) take(block.data() + at);
        left -= now;
        progress.reach(file.position());
    }
}

template <class Take>
void for_vertices(InputFile& file, const Header& header, const Take& take) {
    FileProgress progress{"reading", file.size()};
    for_vertices(file, header, 0, header.bodies, progress, take);
}

std::vector<FieldInfo> list_fields(const std::filesystem::path& path) {
    InputFile file{path};
    const Header header = read_header(file);
    std::vector<FieldInfo> all;
    for (const Property& each : header.properties) {
        const auto unit = std::ranges::find(header.units, each.name, [](const auto& of) { return of.first; });
        all.push_back({.name = each.name,
                       .unit = unit == header.units.end() ? "" : unit->second,
                       .bytes = each.type->bytes,
                       .whole = !each.type->name.starts_with("float") && each.type->name != "double",
                       .bodies = header.bodies});
    }
    return all;
}

void read_numbers(const std::filesystem::path& path, const FieldInfo& field, const TakeNumbers& take) {
    InputFile file{path};
    const Header header = read_header(file);
    const Property* const property = header.find({field.name});
    if (!property) refuse(file, fmt::format("has no property {}", field.name));
    std::vector<double> numbers;
    for_vertices(file, header, [&](const std::byte* record) {
        numbers.push_back(property->of(record, header.order));
        if (numbers.size() < kBlock / sizeof(double)) return;
        take(numbers);
        numbers.clear();
    });
    take(numbers);
}

constexpr FieldReaders kFieldReaders{list_fields, read_numbers};

/// Everything that does not depend on the bodies.
Scene scene_without_bodies(const InputFile& file, const Header& header, const Columns& columns) {
    Scene scene;
    scene.id = scene.label = file.path().filename().string();
    if (!columns.numbers[0]) scene.notes.push_back(scene.id + ": states no masses; each body has 1/N");
    if (!columns.numbers[4]) scene.notes.push_back(scene.id + ": states no velocities; the bodies are at rest");
    scene.time = header.time.value_or(0);
    scene.gravity.constant = header.constant.value_or(1);
    if (scene.gravity.constant < 0 || header.softening.value_or(0) < 0 || header.dt.value_or(1) <= 0)
        refuse(file, "G, softening or dt in its comment is negative");
    return scene;
}

Scene read(const std::filesystem::path& path) {
    InputFile file{path};
    const Header header = read_header(file);
    require_memory_for(path, header.bodies);
    const auto count = static_cast<std::size_t>(header.bodies);
    const Columns columns{header};
    Scene scene = scene_without_bodies(file, header, columns);
    scene.bodies.position_mass.reserve(count), scene.bodies.velocity.reserve(count);
    for_vertices(file, header, [&](const std::byte* record) {
        take_body(file, record, header.order, columns, 1 / static_cast<double>(count), 0, scene.bodies);
    });
    simplify_species(scene.bodies);
    scene.gravity.softening = header.softening ? *header.softening : suggested_softening(scene.bodies);
    scene.dt = header.dt ? *header.dt : suggested_dt(scene.bodies, scene.gravity);
    note_duplicate_ids(scene);
    return scene;
}

class Rows final : public SnapshotRows {
public:
    Rows(const std::filesystem::path& path, WithIds ids) : file_{path}, header_{read_header(file_)}, columns_{header_} {
        about_ = scene_without_bodies(file_, header_, columns_);
        size_ = header_.bodies;
        softening_ = header_.softening, dt_ = header_.dt;
        about_.gravity.softening = softening_.value_or(about_.gravity.softening), about_.dt = dt_.value_or(about_.dt);
        if (ids == WithIds::kNo) columns_.id = nullptr;
    }
    void read(std::uint64_t first, std::size_t count, Bodies& into) override {
        FileProgress none{"reading", 0};
        into.position_mass.clear(), into.velocity.clear(), into.ids.clear(), into.species.clear();
        for_vertices(file_, header_, first, count, none, [&](const std::byte* record) {
            take_body(file_, record, header_.order, columns_, 1 / static_cast<double>(size_), first, into);
        });
    }

private:
    InputFile file_;
    Header header_;
    Columns columns_;
};

std::unique_ptr<SnapshotRows> rows(const std::filesystem::path& path, WithIds ids) {
    return std::make_unique<Rows>(path, ids);
}

SnapshotHead head(const std::filesystem::path& path) {
    InputFile file{path};
    const Header header = read_header(file);
    return {header.time.value_or(0), header.bodies, 1};
}

bool recognises(Bytes head, std::uintmax_t, const std::filesystem::path&) {
    constexpr std::string_view kBegin = "ply\nformat ";
    return head.size() > kBegin.size() &&
           std::ranges::equal(head.first(kBegin.size()), std::as_bytes(std::span{kBegin}));
}

/// A name without blanks.
std::string one_word(std::string name) {
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }, '_');
    return name;
}

/// Unique names of the properties of the fields: TIPSY has a field "mass".
std::vector<std::string> property_names(const std::vector<BodyField>& fields) {
    std::vector<std::string> taken{"x", "y", "z", "vx", "vy", "vz", "mass", "id", "species"};
    const auto own = static_cast<std::ptrdiff_t>(taken.size());
    for (const BodyField& field : fields) {
        std::string name = one_word(field.name);
        while (std::ranges::find(taken, name) != taken.end()) name += '_';
        taken.push_back(std::move(name));
    }
    return {taken.begin() + own, taken.end()};
}

std::string header_text(const Scene& scene, const BodyStretches& bodies, bool with_ids) {
    const std::vector<BodyField>& fields = bodies.others().fields;
    const std::vector<std::string> names = property_names(fields);
    std::string text =
        fmt::format("ply\nformat binary_little_endian 1.0\ncomment orrery time={} G={} softening={} dt={}\n",
                    scene.time, scene.gravity.constant, scene.gravity.softening, scene.dt);
    for (std::size_t k = 0; k < fields.size(); ++k)
        if (!fields[k].unit.empty()) text += fmt::format("comment unit {} {}\n", names[k], one_word(fields[k].unit));
    text += fmt::format("element vertex {}\n", bodies.size());
    for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "mass"})
        text += fmt::format("property double {}\n", name);
    if (with_ids) text += "property uint id\n";
    if (bodies.with_species()) text += "property uchar species\n";
    for (const std::string& name : names) text += fmt::format("property float {}\n", name);
    return text + std::string{kEnd};
}

constexpr std::uint64_t kLargestId = std::numeric_limits<std::uint32_t>::max();

void write(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    validate(bodies, path.string());
    const bool with_ids = bodies.with_ids() && bodies.largest_id() <= kLargestId;
    const std::vector<BodyField>& fields = bodies.others().fields;
    OutputFile file{path, Durable::kYes};
    const std::string header = header_text(scene, bodies, with_ids);
    file.write(std::as_bytes(std::span{header}));
    const std::size_t record = 7 * 8 + (with_ids ? 4 : 0) + (bodies.with_species() ? 1 : 0) + 4 * fields.size();
    FileProgress progress{"writing", bodies.size(), record};
    std::vector<std::byte> block(std::max<std::size_t>(1, kBlock / record) * record);
    std::byte* to = block.data();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4d& p = bodies.position_mass(i);
        const Vec3d& v = bodies.velocity(i);
        for (const double number : {p.x, p.y, p.z, v.x, v.y, v.z, p.w}) store(to, number, std::endian::little);
        if (with_ids) store(to, static_cast<std::uint32_t>(bodies.id(i)), std::endian::little);
        if (bodies.with_species()) store(to, static_cast<std::uint8_t>(bodies.species_of(i)), std::endian::little);
        for (const BodyField& field : fields) store(to, (*field.values)[i], std::endian::little);
        if (to != block.data() + block.size()) continue;
        file.write(Bytes{block.data(), to});
        to = block.data();
        progress.reach(i);
    }
    file.write(Bytes{block.data(), to});
    file.commit();
}

constexpr std::array<std::string_view, 1> kExtensions{".ply"};

}  // namespace
}  // namespace ply_files

const FormatEntry& ply() {
    using namespace ply_files;
    static const FormatEntry entry{"ply",
                                   "PLY",
                                   "binary points with velocity, mass and fields, for Blender, Houdini and MeshLab; "
                                   "double precision, no names",
                                   kExtensions,
                                   {.doubles = true,
                                    .softening = true,
                                    .constant = true,
                                    .dt = true,
                                    .species = true,
                                    .ids = true,
                                    .fields = true,
                                    .largest_id = kLargestId},
                                   recognises,
                                   read,
                                   write,
                                   {},
                                   head,
                                   rows,
                                   &kFieldReaders};
    return entry;
}

}  // namespace orrery
