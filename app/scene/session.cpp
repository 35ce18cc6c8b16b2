// SPDX-License-Identifier: MIT
#include "app/scene/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "app/render/color_modes.hpp"
#include "app/scene/scene_keys.hpp"
#include "app/scene/scene_text.hpp"
#include "app/scene/toml_file.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/physics/pair_law.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

// In radians: a pose must survive the round trip exactly.
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

constexpr std::array kSections{"view", "engine", "compare", "scene"};

/// The keys of an event: those of actions, and others.
const std::vector<std::string_view>& known_keys() {
    static const std::vector<std::string_view> all = []<class... One>(std::type_identity<std::variant<One...>>) {
        std::vector<std::string_view> keys{"picture",     "step",        "pose",       "seen",         "end",
                                           "sigma",       "cut_off",     "adaptive",   "body_density", "body_radius",
                                           "restitution", "color_field", "filter_sets"};
        const auto add = [&](auto one) {
            if constexpr (KeyedAction<decltype(one)>)
                one.keys([&](std::string_view key, auto&&...) { keys.push_back(key); });
            else if (std::ranges::find(kSections, one.kRecorded) == kSections.end())
                keys.push_back(one.kRecorded);
        };
        (add(One{}), ...);
        return keys;
    }(std::type_identity<ComputedAction>{});
    return all;
}

/// An event in a file: values of its keys, by name, and its sections.
class EventValues {
public:
    EventValues(const toml::table& table, const SceneSource& source) : table_{table}, source_{source} {
        for (const auto& [key, node] : table) {
            const bool section = std::ranges::find(kSections, key.str()) != kSections.end();
            if (section && !node.is_table()) (*this)[key.str()]->refuse("a table");
            if (!section && std::ranges::find(known_keys(), key.str()) == known_keys().end())
                usage_error(fmt::format("{}[[event]] has no key '{}'; known keys: {}; tables: {}",
                                        place_of(source, key.source()), key.str(), fmt::join(known_keys(), ", "),
                                        fmt::join(kSections, ", ")));
        }
    }
    std::optional<SceneValue> operator[](std::string_view key) const {
        const toml::node* node = table_.get(key);
        if (!node) return std::nullopt;
        return SceneValue{source_, fmt::format("[[event]] {}", key), *node};
    }
    bool has(std::string_view section) const { return table_.contains(section); }
    /// A number that scene_settings() names too.
    std::optional<double> scene_number(std::string_view key) const {
        const auto value = (*this)[key];
        return value ? std::optional{to_number(value->setting(setting(scene_settings(), key).info))} : std::nullopt;
    }
    std::string place() const { return place_of(source_, table_.source()); }

    SceneFile part;  ///< the sections, once they are read

private:
    const toml::table& table_;
    const SceneSource& source_;
};

const SettingInfo& of_scene(std::string_view id) { return setting(scene_settings(), id).info; }

/// The text of an event. TOML requires sections to follow all keys.
struct EventText {
    const std::filesystem::path& folder;
    std::string keys = {}, sections = {};

    void key(std::string_view name, const auto& value) { keys += fmt::format("{} = {}\n", name, toml_text(value)); }
    void section(std::string_view name, const SceneFile& part) {
        sections += section_text(part, name, folder, "event.");
    }
};

/// The form of an action in an event: write() adds it to the text, read() returns it if the event contains it. This one
/// is for actions with keys(), or without members, stored as a flag.
template <class One>
struct Stored {
    static_assert(KeyedAction<One> || std::is_empty_v<One>,
                  "a recorded action with members needs keys() or its own form");
    static void write(One action, EventText& to) {
        if constexpr (KeyedAction<One>)
            action.keys([&](std::string_view key, double number, double, double) { to.key(key, number); });
        else
            to.key(One::kRecorded, true);
    }
    static std::optional<One> read(const EventValues& from) {
        One action{};
        bool found = false;
        if constexpr (KeyedAction<One>)
            action.keys([&](std::string_view key, double& number, double least, double most) {
                if (const auto value = from[key]) found = true, number = value->real(least, most);
            });
        else if (const auto flag = from[One::kRecorded])
            found = flag->flag();
        return found ? std::optional{action} : std::nullopt;
    }
};

template <>
struct Stored<SetEngine> {
    static void write(const SetEngine& action, EventText& to) {
        SceneFile part;
        part.engine = action.config;
        part.backend = action.config.backend;
        part.engine_given = true;
        to.section("engine", part);
    }
    /// The engine of a new scene belongs to LoadScene.
    static std::optional<SetEngine> read(const EventValues& from) {
        if (!from.has("engine") || from.has("scene")) return std::nullopt;
        return SetEngine{from.part.engine_here()};
    }
};

template <>
struct Stored<LoadScene> {
    static void write(const LoadScene& load, EventText& to) {
        SceneFile part;
        part.scene = load.request;
        part.title = load.request.label;
        if (load.engine) Stored<SetEngine>::write({*load.engine}, to);
        to.section("scene", part);
    }
    static std::optional<LoadScene> read(const EventValues& from) {
        if (!from.has("scene")) return std::nullopt;
        const bool engine = from.has("engine");
        return LoadScene{from.part.scene, engine ? std::optional{from.part.engine_here()} : std::nullopt};
    }
};

template <>
struct Stored<SetIntegrator> {
    static void write(const SetIntegrator& action, EventText& to) {
        if (action.id) to.key("integrator", *action.id);
        if (action.adaptive) to.key("adaptive", *action.adaptive);
    }
    static std::optional<SetIntegrator> read(const EventValues& from) {
        const auto id = from["integrator"], adaptive = from["adaptive"];
        if (!id && !adaptive) return std::nullopt;
        SetIntegrator action;
        if (id) action.id = std::get<std::string>(id->setting(of_scene("integrator")));
        if (adaptive) action.adaptive = to_number(adaptive->setting(of_scene("adaptive")));
        return action;
    }
};

template <>
struct Stored<SetLaw> {
    static void write(const SetLaw& action, EventText& to) {
        to.key("law", std::string{pair_law(action.law).id});
        to.key("sigma", action.sigma);
        to.key("cut_off", action.cut_off);
    }
    static std::optional<SetLaw> read(const EventValues& from) {
        const auto law = from["law"];
        if (!law) return std::nullopt;
        const std::string id = std::get<std::string>(law->setting(of_scene("law")));
        return SetLaw{pair_law(id).value, from.scene_number("sigma").value_or(0),
                      from.scene_number("cut_off").value_or(0)};
    }
};

template <>
struct Stored<SetEncounters> {
    static void write(const SetEncounters& action, EventText& to) {
        to.key("encounters", std::string{encounter_kind(action.rule.kind).id});
        to.key("body_density", action.rule.density);
        to.key("body_radius", action.rule.radius);
        to.key("restitution", action.rule.restitution);
    }
    static std::optional<SetEncounters> read(const EventValues& from) {
        const auto kind = from["encounters"];
        if (!kind) return std::nullopt;
        EncounterRule rule{.kind = encounter_kind(std::get<std::string>(kind->setting(of_scene("encounters")))).kind};
        rule.density = from.scene_number("body_density").value_or(rule.density);
        rule.radius = from.scene_number("body_radius").value_or(rule.radius);
        rule.restitution = from.scene_number("restitution").value_or(rule.restitution);
        return SetEncounters{rule};
    }
};

template <>
struct Stored<SetColorBy> {
    static void write(const SetColorBy& action, EventText& to) {
        to.key("color_mode", std::string{color_mode(action.by).id});
        if (!action.field.empty()) to.key("color_field", action.field);
    }
    static std::optional<SetColorBy> read(const EventValues& from) {
        const auto mode = from["color_mode"];
        if (!mode) return std::nullopt;
        const auto field = from["color_field"];
        return SetColorBy{color_mode(mode->one_of(color_mode_ids())).by, field ? field->text() : std::string{}};
    }
};

template <>
struct Stored<SetFilter> {
    static void write(const SetFilter& action, EventText& to) {
        to.key("filter", action.condition);
        if (action.sets.all().empty()) return;
        std::vector<std::string> sets;
        for (const NamedSet& set : action.sets.all())
            sets.push_back(fmt::format("{{ name = {}, {} = \"{}\" }}", toml_text(set.name),
                                       set.by_index ? "indices" : "ids", fmt::join(set.members, " ")));
        to.keys += fmt::format("filter_sets = [{}]\n", fmt::join(sets, ", "));
    }
    static std::optional<SetFilter> read(const EventValues& from) {
        const auto condition = from["filter"], sets = from["filter_sets"];
        if (!condition) return std::nullopt;
        SetFilter filter{condition->text()};
        if (!sets) return filter;
        const std::vector<std::string_view> known{"name", "ids", "indices"};
        for (const SceneValue& set : sets->list()) {
            const auto name = set.member("name", known), ids = set.member("ids", known),
                       indices = set.member("indices", known);
            if (!name || ids.has_value() == indices.has_value())
                set.refuse("a table with a name and either ids or indices");
            set.checked([&] { filter.sets.store({name->text(), read_members(ids ? *ids : *indices), !ids}); });
        }
        return filter;
    }

private:
    /// Whole numbers in one text, since those of TOML have a sign; ascending.
    static std::vector<std::uint64_t> read_members(const SceneValue& value) {
        std::vector<std::uint64_t> members;
        std::istringstream words{value.text()};
        for (std::string word; words >> word;)
            if (!read_number(word, members.emplace_back())) value.refuse("whole numbers separated by blanks");
        std::ranges::sort(members);
        return members;
    }
};

template <>
struct Stored<SetCompare> {
    static void write(const SetCompare& action, EventText& to) {
        SceneFile part;
        part.compare = compare_scene(action.settings, {});
        to.section("compare", part);
    }
    static std::optional<SetCompare> read(const EventValues& from) {
        if (!from.has("compare")) return std::nullopt;
        if (!from.part.compare->softening) usage_error(from.place() + "[[event]] compare has no softening");
        return SetCompare{from.part.compare->settings(0)};
    }
};

template <>
struct Stored<EditBodies> {
    static void write(const EditBodies& action, EventText& to) { to.keys += "edit = " + edit_text(action.edit) + "\n"; }
    static std::optional<EditBodies> read(const EventValues& from) {
        const auto edit = from["edit"];
        return edit ? std::optional{EditBodies{read_edit(*edit)}} : std::nullopt;
    }
};

std::string text_of(const SessionEvent& event, const std::filesystem::path& folder) {
    EventText actions{folder}, view{folder};
    std::string text = fmt::format("\n[[event]]\npicture = {}\nstep = {}\n", event.picture, event.step);
    if (event.pose) text += fmt::format("pose = {}\n", pose_text(*event.pose));
    if (event.seen) text += fmt::format("seen = {}\n", seen_text(*event.seen));
    for (const ComputedAction& action : event.actions)
        std::visit([&]<class One>(const One& one) { Stored<One>::write(one, actions); }, action);
    text += actions.keys;
    if (event.end) text += "end = true\n";
    if (event.view) {
        SceneFile part;
        part.view = *event.view;
        view.section("view", part);
    }
    return text + view.sections + actions.sections;
}

/// In the order of the list of actions: a scene, with its engine, comes first.
template <class... One>
std::vector<ComputedAction> actions_of(const EventValues& event, std::type_identity<std::variant<One...>>) {
    std::vector<ComputedAction> actions;
    const auto add = [&](auto action) {
        if (action) actions.push_back(*std::move(action));
    };
    (add(Stored<One>::read(event)), ...);
    return actions;
}

SessionEvent read_event(const toml::table& table, const SceneSource& source) {
    EventValues values{table, source};
    SessionEvent event;
    if (const auto picture = values["picture"])
        event.picture = static_cast<std::uint64_t>(picture->whole(0, INT64_MAX));
    if (const auto step = values["step"]) event.step = step->whole(0, INT64_MAX);
    if (const auto pose = values["pose"]) event.pose = read_pose(*pose);
    if (const auto seen = values["seen"]) event.seen = read_seen(*seen);
    if (const auto end = values["end"]) event.end = end->flag();
    values.part = sections_of(table, source);
    if (values.has("view")) event.view = values.part.view;
    event.actions = actions_of(values, std::type_identity<ComputedAction>{});
    return event;
}

constexpr double kAny = std::numeric_limits<double>::max();

std::string vector_text(Vec3d v) { return toml_text(glm::dvec3{v.x, v.y, v.z}); }
Vec3d read_vector(const SceneValue& value) {
    const glm::dvec3 v = value.vector();
    return {v.x, v.y, v.z};
}

std::string added_text(const NewBodies& add) {
    return fmt::format(", count = {}, mass = {}, radius = {}, position = {}, velocity = {}, normal = {}, seed = {}",
                       add.count, toml_text(add.mass), toml_text(add.radius), vector_text(add.position),
                       vector_text(add.velocity), vector_text(add.normal), add.seed);
}

const std::vector<std::string_view> kMembers{"do",       "bodies",   "by",     "factor", "count",   "mass", "radius",
                                             "position", "velocity", "normal", "seed",   "species", "name", "stroke"};

NewBodies read_added(const SceneValue& value) {
    NewBodies add;
    constexpr std::int64_t kMostWhole = std::numeric_limits<std::int64_t>::max();
    if (const auto count = value.member("count", kMembers))
        add.count = static_cast<std::uint32_t>(count->whole(1, std::numeric_limits<std::uint32_t>::max()));
    if (const auto mass = value.member("mass", kMembers)) add.mass = mass->real(0, kAny);
    if (const auto radius = value.member("radius", kMembers)) add.radius = radius->real(0, kAny);
    if (const auto position = value.member("position", kMembers)) add.position = read_vector(*position);
    if (const auto velocity = value.member("velocity", kMembers)) add.velocity = read_vector(*velocity);
    if (const auto normal = value.member("normal", kMembers)) add.normal = read_vector(*normal);
    if (const auto seed = value.member("seed", kMembers))
        add.seed = static_cast<std::uint64_t>(seed->whole(0, kMostWhole));
    return add;
}

Species read_species(const SceneValue& value) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < kSpeciesCount; ++i) names.push_back(name(static_cast<Species>(i)));
    return static_cast<Species>(std::ranges::find(names, value.one_of(names)) - names.begin());
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

std::string edit_text(const Edit& edit) {
    const EditEntry& entry = edit_kind(edit.kind);
    std::string text = fmt::format("{{ do = {}", toml_text(std::string{entry.id}));
    if (!entry.adds && !entry.brushes) text += fmt::format(", bodies = [{}]", fmt::join(edit.bodies, ", "));
    if (entry.shifts) text += ", by = " + vector_text(edit.by);
    if (entry.scales) text += ", factor = " + toml_text(edit.factor);
    if (entry.adds) text += added_text(edit.add);
    if (entry.brushes)
        text += fmt::format(", radius = {}, position = {}, normal = {}", toml_text(edit.add.radius),
                            vector_text(edit.add.position), vector_text(edit.add.normal));
    if (entry.sorts) text += ", species = " + toml_text(std::string{name(edit.species)});
    if (entry.names) text += ", name = " + toml_text(edit.name);
    if (edit.stroke != 0) text += fmt::format(", stroke = {}", edit.stroke);
    return text + " }";
}

Edit read_edit(const SceneValue& value) {
    std::vector<std::string_view> ids;
    for (const EditEntry& entry : edit_kinds()) ids.push_back(entry.id);
    const auto what = value.member("do", kMembers);
    if (!what) value.refuse("a table with the key 'do'");
    const std::string id = what->one_of(ids);
    const EditEntry& entry = *std::ranges::find(edit_kinds(), id, &EditEntry::id);
    Edit edit{.kind = entry.kind};
    if (const auto bodies = value.member("bodies", kMembers))
        for (const SceneValue& each : bodies->list())
            edit.bodies.push_back(static_cast<std::uint32_t>(each.whole(0, std::numeric_limits<std::uint32_t>::max())));
    if (const auto by = value.member("by", kMembers)) edit.by = read_vector(*by);
    if (const auto factor = value.member("factor", kMembers)) edit.factor = factor->real(0, kAny);
    if (entry.adds || entry.brushes) edit.add = read_added(value);
    if (const auto species = value.member("species", kMembers)) edit.species = read_species(*species);
    if (const auto called = value.member("name", kMembers)) edit.name = called->text();
    if (const auto stroke = value.member("stroke", kMembers))
        edit.stroke = static_cast<std::uint32_t>(stroke->whole(0, std::numeric_limits<std::uint32_t>::max()));
    return edit;
}

}  // namespace orrery
