// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "core/analysis/voxels.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/cloud/cloud_writer.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/film_formats.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/pair_law.hpp"
#include "core/series/series.hpp"
#include "core/series/snapshot_files.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

/// A temporary file in place of standard input or output, because readers and writers of formats need a file. The
/// destructor removes it with its folder.
class PipedFile {
public:
    std::string path() const { return (folder_.path() / "stdin").string(); }
    void fill_from_stdin() const;
    void copy_to_stdout() const;

private:
    TemporaryFolder folder_;
};

constexpr std::size_t kPart = std::size_t{1} << 20;

void PipedFile::fill_from_stdin() const {
    OutputFile file{path()};
    std::array<std::byte, 65536> part;
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) environment_error(fmt::format("standard input: {}", std::strerror(errno)));
        if (count == 0) break;
        file.write(std::span{part}.first(static_cast<std::size_t>(count)));
    }
    file.commit();
}

void PipedFile::copy_to_stdout() const {
    std::ifstream file{path(), std::ios::binary};
    std::string part(kPart, '\0');
    while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0)
        bytes_to_stdout(std::string_view{part}.substr(0, static_cast<std::size_t>(file.gcount())));
}

/// True if this argument names standard input or output.
bool is_pipe(const std::string& argument) {
    return argument == "-" || argument == "/dev/stdin" || argument == "/dev/stdout";
}

constexpr double kGibibyte = 1 << 30;
constexpr std::string_view kCloudEnding = ".cloud";

struct ConvertOptions {
    std::string from, to, format, fields, filter;
    std::vector<std::string> more;  ///< further snapshots of IN
    std::optional<double> constant, voxel;
    double memory = static_cast<double>(CloudPlan::kMemory) / kGibibyte;
};

bool single_suffices(const Bodies& bodies) {
    const auto exact = [](double x) { return static_cast<double>(static_cast<float>(x)) == x; };
    return std::ranges::all_of(bodies.position_mass,
                               [&](const Vec4d& p) { return exact(p.x) && exact(p.y) && exact(p.z) && exact(p.w); }) &&
           std::ranges::all_of(bodies.velocity, [&](const Vec3d& v) { return exact(v.x) && exact(v.y) && exact(v.z); });
}

/// The properties of the scene that the format cannot store, in words.
std::vector<std::string> losses(const Scene& scene, const FormatHolds& holds) {
    std::vector<std::string> lost;
    if (!holds.doubles && !single_suffices(scene.bodies)) lost.emplace_back("digits beyond single precision");
    if (!holds.softening && scene.gravity.softening != 0)
        lost.push_back(fmt::format("the softening {}", scene.gravity.softening));
    if (!holds.names && !scene.bodies.names.empty()) lost.emplace_back("names");
    if (!holds.species && !scene.bodies.species.empty()) lost.emplace_back("species");
    if (!holds.law && scene.gravity.law != PairLaw::kGravity)
        lost.push_back(fmt::format("the law {}", pair_law(scene.gravity.law).id));
    if (!holds.law && !scene.bodies.charge.empty()) lost.emplace_back("charges");
    if (!holds.fields && !scene.bodies.fields.empty()) {
        std::vector<std::string_view> names;
        for (const BodyField& field : scene.bodies.fields) names.push_back(field.name);
        lost.push_back(fmt::format("fields {}", fmt::join(names, ", ")));
    }
    if (!scene.bodies.ids.empty() && (!holds.ids || std::ranges::max(scene.bodies.ids) > holds.largest_id))
        lost.emplace_back("ids");
    if (!holds.units && (scene.days_per_time != 0 || !scene.length_unit.empty() || !scene.mass_unit.empty()))
        lost.emplace_back("units");
    return lost;
}

/// Replaces the note that G = 1 is assumed: G was given.
void take_back_assumed(std::vector<std::string>& notes, double constant) {
    constexpr std::string_view kAssumed = "G = 1 is assumed";
    for (std::string& text : notes)
        if (const auto at = text.find(kAssumed); at != std::string::npos)
            text.replace(at, kAssumed.size(), fmt::format("G = {} as given", constant));
}

void note(const std::string& text) { to_stderr("orrery: note: {}\n", text); }

/// Reads and writes in parts, so that memory does not limit the number of bodies.
int convert_to_cloud(const ConvertOptions& options) {
    if (options.constant) usage_error("--constant: a cloud is not simulated and has no G");
    require_writable(options.to);
    std::vector<std::string> snapshots{options.from};
    snapshots.insert(snapshots.end(), options.more.begin(), options.more.end());
    for (const std::string& snapshot : snapshots) require_source(snapshot);
    const bool file = std::filesystem::exists(options.from);
    if (!file && !options.more.empty())
        usage_error(fmt::format("{}: a cloud of several inputs can only be made from snapshot files", options.from));
    const std::vector<std::string> fields = split_fields(options.fields);
    // Computed fields need the whole snapshot in memory.
    const bool computed =
        std::ranges::any_of(fields, [](const std::string& each) { return each.find('=') != std::string::npos; });
    if (computed && !options.more.empty())
        usage_error("--fields: computed fields of a cloud need a single snapshot; convert each first");
    const auto source = file && !computed
                            ? cloud_source(snapshots, fields)
                            : cloud_source(open_scene({.source = options.from, .fields = options.fields}));
    CloudPlan plan;
    plan.memory = static_cast<std::size_t>(options.memory * kGibibyte);
    const CloudWritten written = write_cloud(*source, options.to, plan);
    to_stdout("wrote {}: {} bodies in {} cells, {} levels, {:.1f} MB, cloud\n", options.to, written.bodies,
              written.nodes, written.levels, static_cast<double>(written.bytes) * 1e-6);
    return 0;
}

void write_converted(const FormatEntry& entry, const Scene& scene, const std::string& to, std::optional<double> voxel) {
    if (voxel)
        write_vdb(scene, to, *voxel);
    else
        entry.write(scene, BodyStretches{scene.bodies}, to);
}

/// Writes a file, or to standard output through a temporary file.
void write_as(const FormatEntry& entry, const Scene& scene, const std::string& to, std::optional<double> voxel) {
    if (!is_pipe(to)) return write_converted(entry, scene, to, voxel);
    const PipedFile file;
    write_converted(entry, scene, file.path(), voxel);
    file.copy_to_stdout();
}

Scene read_from(const std::string& from, const std::string& fields) {
    if (!is_pipe(from)) return open_scene({.source = from, .fields = fields});
    const PipedFile file;
    file.fill_from_stdin();
    return open_scene({.source = file.path(), .fields = fields});
}

const FormatEntry& format_of(const ConvertOptions& options) {
    if (!options.format.empty()) return format(options.format);
    if (is_pipe(options.to))
        usage_error("standard output has no extension; name the format: --to csv (`orrery list formats` shows all)");
    return format_for(options.to);
}

void change_constant(Scene& scene, const std::optional<double>& constant) {
    if (!constant) return;
    scene.gravity.constant = *constant;
    scene.dt = suggested_dt(scene.bodies, scene.gravity);
    take_back_assumed(scene.notes, *constant);
}

void note_losses(const Scene& scene, const FormatEntry& entry) {
    for (const std::string& what : losses(scene, entry.holds))
        note(fmt::format("{} does not keep {}", entry.label, what));
}

/// Each snapshot becomes a file with its number.
void convert_each(const std::vector<SeriesMember>& members, const FormatEntry& entry, ConvertOptions& options) {
    Progress progress{"converting", members.size()};
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::string path = members[i].path.string();
        Scene scene = open_scene({.source = path, .fields = options.fields});
        keep_only(path, options.filter, scene);
        change_constant(scene, options.constant);
        if (i == 0) note_losses(scene, entry);
        // All grids of a film have voxels of one size.
        if (entry.id == vdb().id && !options.voxel) options.voxel = suggested_voxel(scene.bodies);
        write_converted(entry, scene, numbered(options.to, i).string(), options.voxel);
        progress.update(i + 1);
    }
}

/// All snapshots become one file. Bodies keep the order of the first one, because renderers interpolate by index.
void convert_into_one(const std::vector<SeriesMember>& members, const FormatEntry& entry,
                      const ConvertOptions& options) {
    if (!options.filter.empty())
        usage_error(fmt::format("{}: --filter needs one snapshot, because its bodies change with time", options.to));
    const Scene first = open_scene({.source = members.front().path.string(), .fields = options.fields});
    note_losses(first, entry);
    const MemberReader reader{first, options.fields};
    const auto read = [&](std::size_t i) {
        MemberReader::Read member = reader.read(members[i]);
        if (!member.remark.empty()) note(member.remark);
        Scene scene = first;
        scene.time = member.state.time;
        scene.bodies.position_mass = std::move(member.state.bodies.position_mass);
        scene.bodies.velocity = std::move(member.state.bodies.velocity);
        scene.bodies.fields = std::move(member.state.bodies.fields);
        return scene;
    };
    write_usda({members.size(), read, members.front().time, members.back().time}, options.to);
}

int convert_series(ConvertOptions options) {
    const FormatEntry& entry = format_of(options);
    const bool into_one = entry.id == usda().id, each = is_pattern(options.to);
    if (!into_one && !each)
        usage_error(fmt::format(
            "{}: holds one snapshot of several; name NAME_%04d{}, NAME.usda for a film, or NAME{} for one cloud",
            options.to, entry.extensions.front(), kCloudEnding));
    std::vector<std::string> sources{options.from};
    sources.insert(sources.end(), options.more.begin(), options.more.end());
    const SeriesIndex index{sources};
    for (const std::string& text : index.notes()) note(text);
    each ? convert_each(index.members(), entry, options) : convert_into_one(index.members(), entry, options);
    to_stdout("wrote {}: {} snapshots, {}\n", options.to, index.members().size(), entry.label);
    return 0;
}

int convert(ConvertOptions options) {
    if (options.to.empty()) {
        if (options.more.empty()) usage_error("convert: no file to write; give OUT, or -o OUT");
        options.to = std::move(options.more.back());
        options.more.pop_back();
    }
    if (options.to.ends_with(kCloudEnding) && options.format.empty()) return convert_to_cloud(options);
    // Validate the options before the file is read.
    const FormatEntry& entry = format_of(options);
    if (options.constant && !(*options.constant > 0))
        usage_error(fmt::format("--constant {}: must be positive", *options.constant));
    if (options.voxel && entry.id != vdb().id)
        usage_error(fmt::format("--voxel: only OpenVDB has voxels; {} is {}", options.to, entry.label));
    if (!options.more.empty() || names_many(options.from)) return convert_series(std::move(options));
    if (!is_pipe(options.to)) require_writable(options.to);
    Scene scene = read_from(options.from, options.fields);
    if (!options.filter.empty() && is_pipe(options.from))
        usage_error("--filter: expected a file as IN, found standard input");
    keep_only(options.from, options.filter, scene);
    change_constant(scene, options.constant);
    for (const std::string& text : scene.notes) note(text);
    write_as(entry, scene, options.to, options.voxel);
    note_losses(scene, entry);
    if (!is_pipe(options.to)) to_stdout("wrote {}: {} bodies, {}\n", options.to, scene.bodies.size(), entry.label);
    return 0;
}

}  // namespace

Work declare_convert(CLI::App& app) {
    const auto options = std::make_shared<ConvertOptions>();
    app.add_option("IN", options->from,
                   "Snapshot in any known format, a preset, or a folder or pattern of snapshots; -: standard input")
        ->required();
    app.add_option(
        "OUT", options->more,
        "Snapshot to write; the extension chooses the format; -: standard output, with --to; NAME_%04d.EXTENSION: one "
        "for each of several. With -o: further snapshots");
    app.add_option("-o,--output", options->to,
                   "Snapshot to write, as OUT; NAME.cloud: a cloud, which shows more bodies than fit into memory");
    app.add_option("--memory", options->memory, "GiB of memory that a cloud's bodies may take while it is written")
        ->check(CLI::Range(static_cast<double>(CloudPlan::kLeastMemory) / kGibibyte, 1e6))
        ->capture_default_str();
    app.add_option("--to", options->format,
                   "Format to write, overriding the extension: " + ids(formats()) + ", " + ids(film_formats()));
    app.add_option(
           "--voxel", options->voxel,
           "Side of a voxel of OpenVDB grids in the units of IN (default: near 1/64 of the radius of 90 % of the "
           "bodies)")
        ->check(positive());
    app.add_option("--fields", options->fields,
                   "Fields of IN that are written too, separated by commas: orrery fields IN lists them");
    app.add_option("--filter", options->filter,
                   "Condition that bodies must satisfy to be written, from their fields: \"T > 1e5 & species == gas\"");
    app.add_option("--constant", options->constant,
                   "Gravitational constant in the units of IN, for files that state none (43007.1 for kpc, km/s and "
                   "10^10 solar masses)");
    app.footer(
        "Notes on stderr report problems in IN and what OUT cannot store. Examples:\n  orrery convert "
        "snapshot_007.0 all.tipsy\n  orrery convert halo.gadget2 halo.csv --constant 43007.1\n  orrery "
        "convert snapshot_007.hdf5 -o halo.cloud     to view it: orrery halo.cloud\n  orrery convert 'snap_*.hdf5' "
        "film.usda     orrery convert 'snap_*.hdf5' gas_%04d.vdb\n  "
        "orrery convert halo.tipsy.gz - --to csv | gzip > halo.csv.gz");
    return [options] { return convert(*options); };
}

}  // namespace orrery
