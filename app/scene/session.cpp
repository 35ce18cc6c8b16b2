// SPDX-License-Identifier: MIT
#include "app/scene/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "app/render/color_modes.hpp"
#include "app/scene/scene_keys.hpp"
#include "app/scene/scene_text.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

// Angles are in radians here: a pose must come back to the bit.
std::string pose_text(const CameraPose& p) {
    std::string text;
    for (const double x : {p.target.x, p.target.y, p.target.z, p.distance, p.yaw, p.pitch, p.fov})
        text += (text.empty() ? "" : ", ") + toml_text(x);
    return fmt::format("[{}]", text);
}

CameraPose read_pose(const SceneValue& value) {
    const auto list = value.list();
    if (list.size() != 7) value.refuse("a list of seven numbers");
    std::array<double, 7> x{};
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = list[i].real(-1e300, 1e300);
    return {{x[0], x[1], x[2]}, x[3], x[4], x[5], x[6]};
}

std::vector<std::string_view> color_mode_ids() {
    std::vector<std::string_view> ids;
    for (const ColorModeEntry& entry : color_modes()) ids.push_back(entry.id);
    return ids;
}

std::string seen_text(const CompareView& view) {
    const auto mode = std::ranges::find(compare_modes(), view.mode, &CompareModeEntry::mode);
    return fmt::format("{{ mode = {}, divider = {}, show_b = {} }}", toml_text(std::string{mode->id}),
                       toml_text(view.divider), toml_text(view.show_b));
}

CompareView read_seen(const SceneValue& value) {
    const std::vector<std::string_view> known{"mode", "divider", "show_b"};
    std::vector<std::string_view> modes;
    for (const CompareModeEntry& entry : compare_modes()) modes.push_back(entry.id);
    CompareView view;
    if (const auto mode = value.member("mode", known)) {
        const std::string id = mode->one_of(modes);
        view.mode = std::ranges::find(compare_modes(), id, &CompareModeEntry::id)->mode;
    }
    if (const auto divider = value.member("divider", known))
        view.divider = static_cast<float>(divider->real(0.05, 0.95));
    if (const auto show_b = value.member("show_b", known)) view.show_b = show_b->flag();
    return view;
}

std::string text_of(const SessionEvent& event, const std::filesystem::path& folder) {
    std::string text = fmt::format("\n[[event]]\npicture = {}\nstep = {}\n", event.picture, event.step);
    if (event.pose) text += fmt::format("pose = {}\n", pose_text(*event.pose));
    if (event.dt) text += fmt::format("dt = {}\n", toml_text(*event.dt));
    if (event.integrator) text += fmt::format("integrator = {}\n", toml_text(*event.integrator));
    if (event.adaptive) text += fmt::format("adaptive = {}\n", toml_text(*event.adaptive));
    if (event.softening) text += fmt::format("softening = {}\n", toml_text(*event.softening));
    if (event.seen) text += fmt::format("seen = {}\n", seen_text(*event.seen));
    if (event.color_mode) text += fmt::format("color_mode = {}\n", toml_text(*event.color_mode));
    if (event.compare_restart) text += "compare_restart = true\n";
    if (event.compare_end) text += "compare_end = true\n";
    if (event.end) text += "end = true\n";
    SceneFile part;
    if (event.view) {
        part.view = *event.view;
        text += section_text(part, "view", folder, "event.");
    }
    if (event.engine) {
        part.engine = *event.engine;
        part.backend = event.engine->backend;
        part.engine_given = true;
        text += section_text(part, "engine", folder, "event.");
    }
    if (event.compare) {
        part.compare = compare_scene(*event.compare, {});
        text += section_text(part, "compare", folder, "event.");
    }
    if (event.scene) {
        part.scene = *event.scene;
        part.title = event.scene->label;
        text += section_text(part, "scene", folder, "event.");
    }
    return text;
}

SessionEvent read_event(const toml::table& table, const SceneSource& source) {
    SessionEvent event;
    for (const auto& [key, node] : table) {
        const SceneValue value{source, fmt::format("[[event]] {}", key.str()), node};
        const bool section = key == "view" || key == "engine" || key == "compare" || key == "scene";
        if (section && !node.is_table()) value.refuse("a table");
        if (key == "picture")
            event.picture = static_cast<std::uint64_t>(value.whole(0, INT64_MAX));
        else if (key == "step")
            event.step = value.whole(0, INT64_MAX);
        else if (key == "pose")
            event.pose = read_pose(value);
        else if (key == "dt")
            event.dt = value.real(1e-300, 1e300);
        else if (key == "softening")
            event.softening = value.real(0, 1e300);
        else if (key == "integrator")
            event.integrator = value.one_of(integrator_ids());
        else if (key == "adaptive")
            event.adaptive = value.real(0, 1);
        else if (key == "seen")
            event.seen = read_seen(value);
        else if (key == "color_mode")
            event.color_mode = value.one_of(color_mode_ids());
        else if (key == "compare_restart")
            event.compare_restart = value.flag();
        else if (key == "compare_end")
            event.compare_end = value.flag();
        else if (key == "end")
            event.end = value.flag();
        else if (!section)
            usage_error(fmt::format(
                "{}[[event]] has no key '{}'; there are picture, step, pose, dt, softening, "
                "integrator, adaptive, seen, color_mode, compare_restart, compare_end, end, and tables view, engine, "
                "compare, scene",
                place_of(source, key.source()), key.str()));
    }
    const SceneFile part = sections_of(table, source);
    if (table.contains("view")) event.view = part.view;
    if (table.contains("engine")) event.engine = part.engine_here();
    if (table.contains("scene")) event.scene = part.scene;
    if (table.contains("compare")) {
        if (!part.compare->softening)
            usage_error(fmt::format("{}[[event]] compare has no softening", place_of(source, table.source())));
        event.compare = part.compare->settings(0);
    }
    return event;
}

}  // namespace

std::uint64_t Session::pictures() const {
    if (events.empty()) return 0;
    return events.back().end ? events.back().picture : events.back().picture + 1;
}

Session read_session(const std::filesystem::path& path) {
    const SceneSource source{path.string(), path.parent_path()};
    toml::table table = parsed_toml(text_of_file(path), source.name);
    Session session;
    if (const toml::node* node = table.get("event")) {
        const toml::array* list = node->as_array();
        if (!list) usage_error(fmt::format("{}event: expected [[event]]", place_of(source, node->source())));
        for (const toml::node& each : *list) {
            const toml::table* event = each.as_table();
            if (!event) usage_error(fmt::format("{}expected [[event]]", place_of(source, each.source())));
            session.events.push_back(read_event(*event, source));
            const auto& all = session.events;
            if (all.size() > 1 && (all.back().picture < all[all.size() - 2].picture || all[all.size() - 2].end))
                usage_error(fmt::format("{}[[event]] picture: expected {} or more, and nothing after the end, found {}",
                                        place_of(source, each.source()), all[all.size() - 2].picture,
                                        all.back().picture));
        }
        table.erase("event");
    }
    session.start = scene_of(table, source);
    if (session.events.empty())
        usage_error(fmt::format("{}: a scene file without any [[event]]: no session to repeat", source.name));
    return session;
}

SessionWriter::SessionWriter(const std::filesystem::path& path, const SceneFile& start)
    : path_{path}, file_{std::fopen(path.c_str(), "wb")} {
    if (!file_) environment_error(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
    write("# A recording that `orrery record --session` repeats frame by frame.\n" +
          scene_text(start, path.parent_path()));
}

void SessionWriter::add(const SessionEvent& event) { write(text_of(event, path_.parent_path())); }

void SessionWriter::write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
        environment_error(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno)));
}

}  // namespace orrery
