// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/memory.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/formats/checkpoint_hdf5.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {
namespace {

using hdf5::Column;
using hdf5::Number;
using hdf5::ReadColumn;
using hdf5::Reader;
using hdf5::Writer;

/// In the order of BodyState; the last two only with compensated sums.
constexpr std::array kColumns{"position_mass", "velocity", "acceleration", "position_low", "velocity_low"};
constexpr const char *kSimulation = "simulation", *kEngine = "engine", *kUsed = "engine_used", *kRun = "run";

hid_t number_of(Precision precision) { return precision == Precision::kSingle ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE; }
std::size_t row_of(Precision precision) { return precision == Precision::kSingle ? sizeof(Vec4f) : sizeof(Vec4d); }

void write_state(Writer& file, const BodyState& state) {
    const std::size_t row = row_of(state.precision);
    const std::byte* from = state.bytes.data();
    for (const char* name : std::span{kColumns}.first(columns_of(state))) {
        const Column column = file.column(name, state.count, 4, number_of(state.precision));
        hdf5::for_chunks("writing", state.count, [&](std::uint64_t first, std::uint64_t count) {
            file.write(column, first, count, number_of(state.precision), from + first * row);
        });
        from += state.count * row;
    }
}

void read_state(const Reader& file, bool compensated, BodyState& state) {
    const std::size_t row = row_of(state.precision);
    const std::size_t bytes = (compensated ? 5 : 3) * state.count * row;
    require_memory(fmt::format("{}: the state of {} bodies", file.path().string(), state.count), bytes);
    state.bytes.resize(bytes);
    const Number type = state.precision == Precision::kSingle ? Number::kFloat : Number::kDouble;
    std::byte* to = state.bytes.data();
    for (const char* name : std::span{kColumns}.first(columns_of(state))) {
        const ReadColumn column = file.column(name, state.count, 4, H5T_FLOAT);
        hdf5::for_chunks("reading", state.count, [&](std::uint64_t first, std::uint64_t count) {
            file.read(column, first, count, type, to + first * row);
        });
        to += state.count * row;
    }
}

/// Inclusive range of valid numbers.
struct Range {
    double least, most;
};
constexpr double kLargest = std::numeric_limits<double>::max(), kMostCounted = 0x1p62;
constexpr Range kAny{-kLargest, kLargest}, kFlag{0, 1}, kCount{0, kMostCounted}, kFromZero{0, kLargest},
    kPositive{std::numeric_limits<double>::denorm_min(), kLargest};

/// All numbers of an attribute, each checked against its range; empty if there is no attribute.
std::optional<std::vector<double>> numbers_within(const Reader& file, const char* group, const char* name,
                                                  std::span<const Range> ranges, std::string_view expected) {
    auto numbers = file.numbers(group, name);
    const auto within = [](double x, Range range) { return range.least <= x && x <= range.most; };
    if (numbers && !std::ranges::equal(*numbers, ranges, within))
        file.refuse(fmt::format("attribute {} of {}: expected {}", name, group, expected));
    return numbers;
}

double number(const Reader& file, const char* group, const char* name, Range range) {
    const auto numbers =
        numbers_within(file, group, name, {&range, 1}, fmt::format("a number from {} to {}", range.least, range.most));
    if (!numbers) file.refuse(fmt::format("attribute {} of {}: missing", name, group));
    return numbers->front();
}

std::uint64_t count(const Reader& file, const char* group, const char* name) {
    return static_cast<std::uint64_t>(number(file, group, name, kCount));
}

void write_engine(Writer& file, const char* group, const EngineConfig& engine) {
    file.group(group);
    for (const EngineSetting& setting : engine_settings()) {
        const std::string name{setting.info.id};
        const SettingValue value = setting.member.get(engine);
        if (const auto* text = std::get_if<std::string>(&value))
            file.text(group, name.c_str(), *text);
        else
            file.number(group, name.c_str(), to_number(value));
    }
}

/// The value of a setting in the file; monostate if there is none.
SettingValue read_setting(const Reader& file, const char* group, const SettingInfo& info) {
    const std::string name{info.id};
    if (std::holds_alternative<ChoiceKind>(info.kind) || std::holds_alternative<TextKind>(info.kind)) {
        const auto text = file.text(group, name.c_str());
        return text ? SettingValue{*text} : SettingValue{};
    }
    const auto number = file.number(group, name.c_str());
    return number ? from_number(info, *number) : SettingValue{};
}

/// Settings missing in the file keep their defaults: they are newer than the file.
EngineConfig read_engine(const Reader& file, const char* group) {
    EngineConfig engine;
    for (const EngineSetting& setting : engine_settings()) {
        const SettingValue value = read_setting(file, group, setting.info);
        if (std::holds_alternative<std::monostate>(value)) continue;
        if (!accepts(setting.info, value))
            file.refuse(fmt::format("attribute {} of {}: expected {}, found {}", setting.info.id, group,
                                    expected_text(setting.info), text_of(value)));
        setting.member.set(engine, value);
    }
    return engine;
}

/// The engine that measurements had chosen. It computes the same state in the same precision.
EngineConfig read_used(const Reader& file, const EngineConfig& asked) {
    EngineConfig used = read_engine(file, kUsed);
    if (used.backend != asked.backend || used.precision != asked.precision || used.compensated != asked.compensated)
        file.refuse(fmt::format("group {}: expected the backend and precision of group {}", kUsed, kEngine));
    return used;
}

/// Writes nothing if nothing was measured and no measurement is planned.
void write_accuracy(Writer& file, const KeptAccuracy& kept) {
    const Acceptance& a = kept.acceptance;
    if (kept == KeptAccuracy{.acceptance = {}, .next = kept.next}) return;
    file.numbers(kSimulation, "accuracy",
                 {a.factor, a.error, a.power, a.base_factor, a.base_error, static_cast<double>(a.limit),
                  static_cast<double>(kept.next), static_cast<double>(kept.gap)});
}

KeptAccuracy read_accuracy(const Reader& file, std::uint64_t moment) {
    constexpr std::array<Range, 8> kRanges{kPositive, kAny,
                                           kPositive, kFromZero,
                                           kFromZero, {0, static_cast<double>(AcceptanceLimit::kFinest)},
                                           kCount,    {1, kMostCounted}};
    const auto numbers =
        numbers_within(file, kSimulation, "accuracy", kRanges, "eight numbers of a criterion and its error");
    if (!numbers) return {.acceptance = {}, .next = moment};
    const auto& q = *numbers;
    return {.acceptance = {.factor = q[0],
                           .error = q[1],
                           .power = q[2],
                           .base_factor = q[3],
                           .base_error = q[4],
                           .limit = static_cast<AcceptanceLimit>(q[5])},
            .next = static_cast<std::uint64_t>(q[6]),
            .gap = static_cast<std::uint64_t>(q[7])};
}

/// Writes nothing if there were no encounters.
void write_ledger(Writer& file, const EncounterLedger& q) {
    if (q == EncounterLedger{}) return;
    file.numbers(kSimulation, "encounters",
                 {static_cast<double>(q.merges), static_cast<double>(q.bounces), static_cast<double>(q.accretions),
                  q.energy, q.mass, q.momentum.x, q.momentum.y, q.momentum.z, q.angular_momentum.x,
                  q.angular_momentum.y, q.angular_momentum.z});
}

EncounterLedger read_ledger(const Reader& file) {
    constexpr std::array<Range, 11> kRanges{kCount, kCount, kCount, kAny, kAny, kAny, kAny, kAny, kAny, kAny, kAny};
    const auto numbers = numbers_within(file, kSimulation, "encounters", kRanges, "three counts and eight sums");
    if (!numbers) return {};
    const auto& q = *numbers;
    return {.merges = static_cast<std::uint64_t>(q[0]),
            .bounces = static_cast<std::uint64_t>(q[1]),
            .accretions = static_cast<std::uint64_t>(q[2]),
            .energy = q[3],
            .angular_momentum = {q[8], q[9], q[10]},
            .mass = q[4],
            .momentum = {q[5], q[6], q[7]}};
}

void write_run(Writer& file, const RunRecord& run) {
    file.group(kRun);
    file.number(kRun, "steps", static_cast<double>(run.steps));
    if (run.until) file.number(kRun, "until", *run.until);
    if (!run.first) return;
    const Diagnostics& first = *run.first;
    const Vec3d p = first.momentum, l = first.angular_momentum;
    file.numbers(kRun, "first", {first.kinetic, first.potential, p.x, p.y, p.z, l.x, l.y, l.z, first.momentum_scale});
}

RunRecord read_run_record(const Reader& file) {
    RunRecord run{.steps = count(file, kRun, "steps"), .until = file.number(kRun, "until"), .first = {}};
    const auto first = file.numbers(kRun, "first");
    if (!first) return run;
    if (first->size() != 9) file.refuse("attribute first of run: expected 9 numbers");
    const auto& q = *first;
    Diagnostics& then = run.first.emplace();
    then.kinetic = q[0], then.potential = q[1], then.momentum_scale = q[8];
    then.momentum = {q[2], q[3], q[4]}, then.angular_momentum = {q[5], q[6], q[7]};
    return run;
}

}  // namespace

void require_checkpoints() {}

void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path) {
    const Snapshot& state = checkpoint.state;
    Destination{path}.remove_abandoned();
    Writer file{path, hdf5::kCheckpointBlock};
    hdf5::write_scene(file, checkpoint.scene, state.bodies.count);
    file.group(kSimulation);
    file.text(kSimulation, "id", checkpoint.scene.id);
    file.number(kSimulation, "steps", static_cast<double>(state.steps));
    file.number(kSimulation, "moment", static_cast<double>(state.moment));
    file.number(kSimulation, "forces_fresh", state.forces_fresh ? 1 : 0);
    file.number(kSimulation, "reversed", checkpoint.reversed ? 1 : 0);
    file.number(kSimulation, "engine_memory", static_cast<double>(state.history_key));
    if (state.evaluated)
        file.numbers(kSimulation, "evaluated", {state.evaluated->constant, state.evaluated->softening});
    write_accuracy(file, state.accuracy);
    write_ledger(file, state.encounters);
    write_engine(file, kEngine, state.engine);
    if (state.used) write_engine(file, kUsed, *state.used);
    write_run(file, checkpoint.run);
    write_state(file, state.bodies);
    hdf5::seal(file, checkpoint.scene);
}

void check_checkpoint(const std::filesystem::path& path) { hdf5::check_whole(path); }

Checkpoint read_run(const std::filesystem::path& path) {
    hdf5::check_whole(path);
    const Reader file{path};
    if (!file.has(kSimulation)) file.refuse("holds a scene, not the state of a run; it can be opened but not resumed");
    Checkpoint checkpoint{.scene = hdf5::read_scene(file, true), .state = {}, .run = read_run_record(file)};
    Scene& scene = checkpoint.scene;
    scene.id = file.text(kSimulation, "id").value_or(scene.id);
    Snapshot& state = checkpoint.state;
    state.engine = read_engine(file, kEngine);
    if (file.has(kUsed)) state.used = read_used(file, state.engine);
    state.gravity = scene.gravity;
    state.time = scene.time;
    state.steps = static_cast<std::int64_t>(number(file, kSimulation, "steps", {-kMostCounted, kMostCounted}));
    state.moment = count(file, kSimulation, "moment");
    state.forces_fresh = number(file, kSimulation, "forces_fresh", kFlag) != 0;
    if (const auto memory = numbers_within(file, kSimulation, "engine_memory", {&kCount, 1}, "a count"))
        state.history_key = static_cast<std::uint64_t>(memory->front());
    state.accuracy = read_accuracy(file, state.moment);
    state.encounters = read_ledger(file);
    checkpoint.reversed = number(file, kSimulation, "reversed", kFlag) != 0;
    constexpr std::array<Range, 2> kEvaluated{kPositive, kFromZero};
    if (const auto q = numbers_within(file, kSimulation, "evaluated", kEvaluated, "G and a softening length"))
        state.evaluated = {q->front(), q->back()};
    state.bodies.precision = of_state(state.engine.precision);
    state.bodies.count = scene.bodies.size();
    read_state(file, state.engine.compensated, state.bodies);
    return checkpoint;
}

}  // namespace orrery
