// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "core/base/standard_streams.hpp"
#include "core/cloud/cloud_file.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/formats.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct FieldsOptions {
    std::string file;
    bool json = false;
};

std::vector<std::string> species_of(const FieldInfo& field) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (field.species[k]) names.emplace_back(name(static_cast<Species>(k)));
    return names;
}

std::string type_of(const FieldInfo& field) {
    const std::string number = fmt::format("{}{}", field.whole ? "int" : "float", 8 * field.bytes);
    return field.components == 1 ? number : fmt::format("{} × {}", field.components, number);
}

/// The short name by which --fields finds this field; empty if there is none.
std::string short_name_of(const std::vector<FieldInfo>& all, const FieldInfo& field) {
    for (const ShortName& known : short_names())
        if (std::ranges::find(known.in_files, field.name) != known.in_files.end() &&
            choose_by_name(all, known.name) == &field)
            return std::string{known.name};
    return {};
}

void print_fields(const std::vector<FieldInfo>& fields) {
    std::size_t name_width = 4, type_width = 4, unit_width = 4;
    for (const FieldInfo& field : fields) {
        name_width = std::max(name_width, field.name.size());
        type_width = std::max(type_width, type_of(field).size());
        unit_width = std::max(unit_width, field.unit.size());
    }
    to_stdout("{:<{}} {:<5} {:<{}} {:<{}} {:>10}  {}\n", "name", name_width, "short", "type", type_width, "unit",
              unit_width, "bodies", "species");
    for (const FieldInfo& field : fields) {
        const std::string species = fmt::format("{}", fmt::join(species_of(field), ", "));
        to_stdout("{:<{}} {:<5} {:<{}} {:<{}} {:>10}  {}{}\n", field.name, name_width, short_name_of(fields, field),
                  type_of(field), type_width, field.unit, unit_width, field.bodies, species,
                  field.what.empty() ? "" : (species.empty() ? "" : ": ") + field.what);
    }
}

/// The fields of a cloud, one number per body each.
std::vector<FieldInfo> fields_of_cloud(const std::string& path) {
    const CloudFile file{path};
    std::vector<FieldInfo> fields;
    for (const CloudField& field : file.about().fields)
        fields.push_back({.name = field.name, .unit = field.unit, .whole = field.whole, .bodies = file.about().bodies});
    return fields;
}

int list_fields(const FieldsOptions& options) {
    require_source(options.file);
    const std::vector<FieldInfo> fields =
        is_cloud(options.file) ? fields_of_cloud(options.file) : fields_of(options.file);
    if (options.json) {
        nlohmann::ordered_json all = nlohmann::ordered_json::array();
        for (const FieldInfo& field : fields)
            all.push_back({{"name", field.name},
                           {"short", short_name_of(fields, field)},
                           {"unit", field.unit},
                           {"doc", field.what},
                           {"components", field.components},
                           {"bytes", field.bytes},
                           {"whole", field.whole},
                           {"bodies", field.bodies},
                           {"species", species_of(field)}});
        to_stdout("{}\n", all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else if (fields.empty()) {
        to_stdout("{}: no fields\n", options.file);
    } else {
        print_fields(fields);
    }
    return 0;
}

}  // namespace

Work declare_fields(CLI::App& app) {
    const auto options = std::make_shared<FieldsOptions>();
    app.add_option("FILE", options->file, "Snapshot file or cloud")->required();
    add_json(app, options->json);
    app.footer(
        "Only heads are read. --fields NAME,NAME of other commands loads fields, by these names or the short ones; "
        "NAME[2] is a component, |NAME| the length of a vector. Examples:\n  orrery fields snap_040.hdf5\n  orrery "
        "snap_040.hdf5 --fields T,Z --color-by field --color-field Temperature\n  orrery convert snap_040.hdf5 "
        "gas.csv --fields u,rho");
    return [options] { return list_fields(*options); };
}

}  // namespace orrery
