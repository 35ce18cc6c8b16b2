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
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/cloud/cloud_writer.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/pair_laws.hpp"
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
    std::optional<double> constant;
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
    const auto source = file ? cloud_source(snapshots) : cloud_source(open_scene({.source = options.from}));
    CloudPlan plan;
    plan.memory = static_cast<std::size_t>(options.memory * kGibibyte);
    const CloudWritten written = write_cloud(*source, options.to, plan);
    to_stdout("wrote {}: {} bodies in {} cells, {} levels, {:.1f} MB, cloud\n", options.to, written.bodies,
              written.nodes, written.levels, static_cast<double>(written.bytes) * 1e-6);
    return 0;
}

/// Writes a file, or to standard output through a temporary file.
void write_as(const FormatEntry& entry, const Scene& scene, const std::string& to) {
    if (!is_pipe(to)) return entry.write(scene, to);
    const PipedFile file;
    entry.write(scene, file.path());
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

int convert(ConvertOptions options) {
    if (options.to.empty()) {
        if (options.more.empty()) usage_error("convert: no file to write; give OUT, or -o OUT");
        options.to = std::move(options.more.back());
        options.more.pop_back();
    }
    if (options.to.ends_with(kCloudEnding) && options.format.empty()) return convert_to_cloud(options);
    if (!options.more.empty())
        usage_error(fmt::format("{}: only a cloud can be made from several snapshots; name it NAME{}", options.to,
                                kCloudEnding));
    // Validate the options before the file is read.
    const FormatEntry& entry = format_of(options);
    if (options.constant && !(*options.constant > 0))
        usage_error(fmt::format("--constant {}: must be positive", *options.constant));
    if (!is_pipe(options.to)) require_writable(options.to);
    Scene scene = read_from(options.from, options.fields);
    if (!options.filter.empty() && is_pipe(options.from))
        usage_error("--filter: expected a file as IN, found standard input");
    keep_only(options.from, options.filter, scene);
    if (options.constant) {
        scene.gravity.constant = *options.constant;
        scene.dt = suggested_dt(scene.bodies, scene.gravity);
        take_back_assumed(scene.notes, *options.constant);
    }
    for (const std::string& text : scene.notes) note(text);
    write_as(entry, scene, options.to);
    for (const std::string& what : losses(scene, entry.holds))
        note(fmt::format("{} does not keep {}", entry.label, what));
    if (!is_pipe(options.to)) to_stdout("wrote {}: {} bodies, {}\n", options.to, scene.bodies.size(), entry.label);
    return 0;
}

}  // namespace

Work declare_convert(CLI::App& app) {
    const auto options = std::make_shared<ConvertOptions>();
    app.add_option("IN", options->from, "Snapshot in any known format, or a preset; -: standard input")->required();
    app.add_option(
        "OUT", options->more,
        "Snapshot to write; the extension chooses the format; -: standard output, with --to. With -o: further "
        "snapshots of a cloud");
    app.add_option("-o,--output", options->to,
                   "Snapshot to write, as OUT; NAME.cloud: a cloud, which shows more bodies than fit into memory");
    app.add_option("--memory", options->memory, "GiB of memory that a cloud's bodies may take while it is written")
        ->check(CLI::Range(static_cast<double>(CloudPlan::kLeastMemory) / kGibibyte, 1e6))
        ->capture_default_str();
    app.add_option("--to", options->format, "Format to write, overriding the extension: " + ids(formats()));
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
        "convert snapshot_007.hdf5 -o halo.cloud     to view it: orrery halo.cloud\n  "
        "orrery convert halo.tipsy.gz - --to csv | gzip > halo.csv.gz");
    return [options] { return convert(*options); };
}

}  // namespace orrery
