// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/formats/body_quantities.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/id_file.hpp"
#include "core/selection/named_sets.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

constexpr std::string_view kIdsEnding = ".ids";

struct SelectOptions {
    std::string from, condition, fields;
    std::vector<std::string> sets, outputs;
};

/// Adds a set as a field of zeros and ones, so that the condition can name it.
void add_set(const std::string& definition, const std::vector<FieldInfo>& fields, Scene& scene) {
    const std::size_t sign = definition.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == definition.size())
        usage_error(fmt::format("--set {}: expected NAME=FILE", definition));
    const std::string name = definition.substr(0, sign);
    if (choose_by_name(fields, name))
        usage_error(fmt::format("--set {}: {} is the name of a field of the snapshot", definition, name));
    if (names_constant(name)) usage_error(fmt::format("--set {}: {} is a constant of expressions", definition, name));
    NamedSets sets;
    sets.store({name, read_ids(definition.substr(sign + 1)), scene.bodies.ids.empty()});
    const BodySet set = sets.set(name, {scene.bodies.size(), scene.bodies.ids});
    std::vector<float> values(scene.bodies.size());
    for (const std::uint32_t row : set.rows()) values[row] = 1;
    scene.bodies.fields.push_back(make_field(name, "", std::move(values), true));
}

int select_bodies(const SelectOptions& options) {
    for (const std::string& path : options.outputs) {
        if (!path.ends_with(kIdsEnding)) format_for(path);  // throws for an unknown extension
        require_writable(path);
    }
    Scene scene = open_scene({.source = options.from, .fields = options.fields});
    const bool file = std::filesystem::is_regular_file(options.from);
    const std::vector<FieldInfo> fields = file ? fields_of(options.from) : std::vector<FieldInfo>{};
    const std::size_t loaded = scene.bodies.fields.size();
    for (const std::string& definition : options.sets) add_set(definition, fields, scene);
    const BodySet set = BodySet::of_values(
        satisfied(Expression{options.condition}, {scene.bodies, fields, file ? options.from : std::string{}}));
    scene.bodies.fields.resize(loaded);
    const std::string ids = ids_text(members_of(set, {scene.bodies.size(), scene.bodies.ids}));
    if (options.outputs.empty()) to_stdout("{}", ids);
    for (const std::string& path : options.outputs) {
        if (path.ends_with(kIdsEnding))
            write_file(path, ids);
        else
            write_snapshot(scene_of(set, scene), path);
        to_stdout("wrote {}: {} of {} bodies\n", path, set.count(), scene.bodies.size());
    }
    return 0;
}

}  // namespace

Work declare_select(CLI::App& app) {
    const auto options = std::make_shared<SelectOptions>();
    app.add_option("IN", options->from, "Snapshot in any known format, or a preset")->required();
    app.add_option("CONDITION", options->condition,
                   "Expression that the bodies satisfy, over x, y, z, vx, vy, vz, m, r, v, species, id, fields of the "
                   "snapshot and names of --set")
        ->required();
    app.add_option("--set", options->sets,
                   "NAME=FILE, repeatable: bodies whose ids are in a file, one in a line (indices from 0 if the bodies "
                   "have no ids), by a name that the condition combines");
    app.add_option("--fields", options->fields, "Fields of the snapshot that are written too, separated by commas");
    app.add_option("-o,--output", options->outputs,
                   "File to write, repeatable: NAME.ids for their ids, otherwise a snapshot; without one the ids go to "
                   "standard output");
    app.footer(
        "Examples:\n  orrery select snap_040.hdf5 \"T > 1e5 & species == gas\" -o hot.ids -o hot.hdf5\n  orrery select "
        "snap_041.hdf5 \"hot & r > 5\" --set hot=hot.ids -o gone.ids");
    return [options] { return select_bodies(*options); };
}

}  // namespace orrery
