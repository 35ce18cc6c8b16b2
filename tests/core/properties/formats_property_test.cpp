// SPDX-License-Identifier: MIT
// Every snapshot format and checkpoints round-trip bit by bit, for any numbers.
#include <bit>
#include <cfloat>
#include <set>

#include "core/engines/engine_settings.hpp"
#include "core/formats/formats.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/property.hpp"
#include "tests/support/settings.hpp"

namespace orrery::test {
namespace {

using Random = std::mt19937_64;

/// A finite number: any bits, subnormal, near the limits, ±0, or ordinary.
template <class Real>
Real any_number(Random& random) {
    using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    const auto kind = random() % 6;
    const auto bits = static_cast<Bits>(random());
    const Real sign = bits & 1 ? Real(-1) : Real(1);
    if (kind == 0) return sign * Real(0);
    if (kind == 1) return sign * std::numeric_limits<Real>::denorm_min() * static_cast<Real>(1 + bits % 1000);
    if (kind == 2) return sign * std::numeric_limits<Real>::max();
    if (kind == 3) return static_cast<Real>(static_cast<int>(bits % 2001) - 1000) / Real(10);
    const Real number = std::bit_cast<Real>(bits);
    return std::isfinite(number) ? number : sign;
}

double any_double(Random& random, bool doubles) {
    return doubles ? any_number<double>(random) : static_cast<double>(any_number<float>(random));
}

double any_positive(Random& random, bool doubles) {
    const double number = std::abs(any_double(random, doubles));
    return number > 0 ? number : 1;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same_bits(Vec3d a, Vec3d b) { return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z); }

/// Names of separators, quotes, comment marks, and some characters beyond ASCII.
std::string any_name(Random& random) {
    static constexpr std::array<const char*, 12> kCharacters{"a", "Z", "7",  ",", "\"", ";",
                                                             "#", " ", "\t", "π", "☉",  "'"};
    std::string name;
    for (auto left = random() % 8; left > 0; --left) name += kCharacters[random() % kCharacters.size()];
    return name;
}

/// Species are in the order of files unless ids identify the bodies.
Scene any_scene(const FormatHolds& holds, bool three_species) {
    Scene scene;
    const auto count = any_scale<std::size_t>(2000);
    Random random{static_cast<std::uint64_t>(any_in(0, 1 << 30))};
    const auto number = [&] { return any_double(random, holds.doubles); };
    for (std::size_t i = 0; i < count; ++i) {
        const double x = number(), y = number(), z = number(), vx = number(), vy = number(), vz = number();
        const bool massive = i == 0 || random() % 8 > 0;
        scene.bodies.add({x, y, z}, {vx, vy, vz}, massive ? any_positive(random, holds.doubles) : 0);
    }
    Bodies& bodies = scene.bodies;
    if (holds.ids && random() % 2) {
        std::set<std::uint64_t> ids;
        while (ids.size() < count) ids.insert(random() % 4 ? random() % 100'000 : random() % holds.largest_id);
        bodies.ids.assign(ids.begin(), ids.end());
        std::ranges::shuffle(bodies.ids, random);
    }
    if (holds.species && random() % 2) {
        for (std::size_t i = 0; i < count; ++i)
            bodies.species.push_back(three_species
                                         ? std::array{Species::kGas, Species::kHalo, Species::kStars}[random() % 3]
                                         : static_cast<Species>(random() % kSpeciesCount));
        if (bodies.ids.empty()) std::ranges::sort(bodies.species);
    }
    if (holds.names && random() % 2)
        for (std::size_t i = 0; i < count; ++i) bodies.names.push_back(any_name(random));
    if (holds.softening) scene.gravity.softening = random() % 4 ? any_positive(random, holds.doubles) : 0;
    if (holds.constant) scene.gravity.constant = any_positive(random, true);
    if (holds.dt) scene.dt = any_positive(random, true);
    if (holds.units) scene.days_per_time = any_positive(random, true);
    scene.time = any_number<double>(random);
    return scene;
}

class FormatProperties : public Scratch, public testing::WithParamInterface<FormatEntry> {};

TEST_P(FormatProperties, RoundTripsBitwise) {
    const FormatEntry& format = GetParam();
    if (!format.why_not.empty()) GTEST_SKIP() << format.why_not;
    const bool starts_a_process = format.id == "gadget-hdf5" || format.id == "checkpoint";
    check(starts_a_process ? Cases{6, 500} : Cases{15, 2000}, [&] {
        const bool tipsy = format.id.starts_with("tipsy");  // its softening is used only if plausible
        const FormatHolds& holds = format.holds;
        const Scene scene = any_scene(holds, tipsy);
        const auto file = path("any" + std::string{format.extensions.front()});
        write_snapshot(scene, file);
        const Scene back = read_snapshot(file);
        const Bodies &written = scene.bodies, &read = back.bodies;
        RC_ASSERT(read.size() == written.size());
        RC_ASSERT((written.ids.empty() || read.ids.size() == read.size()));
        RC_ASSERT((written.names.empty() || read.names.size() == read.size()));
        std::map<std::uint64_t, std::size_t> place;
        for (std::size_t i = 0; i < written.ids.size(); ++i) place[written.ids[i]] = i;
        for (std::size_t i = 0; i < read.size(); ++i) {
            const std::size_t was = written.ids.empty() ? i : place.at(read.ids[i]);
            RC_ASSERT(same_bits(xyz(read.position_mass[i]), xyz(written.position_mass[was])));
            RC_ASSERT(same_bits(read.position_mass[i].w, written.position_mass[was].w));
            RC_ASSERT(same_bits(read.velocity[i], written.velocity[was]));
            RC_ASSERT((!holds.species || read.species_of(i) == written.species_of(was)));
            RC_ASSERT((written.names.empty() || read.names[i] == written.names[was]));
        }
        RC_ASSERT(same_bits(back.time, scene.time));
        RC_ASSERT((tipsy || !holds.softening || back.gravity.softening == scene.gravity.softening));
        RC_ASSERT((!holds.constant || back.gravity.constant == scene.gravity.constant));
        RC_ASSERT((!holds.dt || back.dt == scene.dt));
        RC_ASSERT((!holds.units || back.days_per_time == scene.days_per_time));
        RC_ASSERT((std::isfinite(back.dt) && back.dt > 0 && std::isfinite(back.gravity.softening)));
    });
}

INSTANTIATE_TEST_SUITE_P(Menu, FormatProperties, testing::ValuesIn(formats().begin(), formats().end()),
                         [](const auto& instance) {
                             std::string name{instance.param.id};
                             std::erase(name, '-');
                             return name;
                         });

/// A value that this setting accepts.
template <class Config>
SettingValue any_value(const Setting<Config>& setting, Random& random) {
    const std::vector<SettingValue> values = accepted_values(setting.info);
    return values[random() % values.size()];
}

Checkpoint any_checkpoint() {
    Checkpoint checkpoint{.scene = any_scene(kHoldsEverything, false), .state = {}, .run = {}};
    Random random{static_cast<std::uint64_t>(any_in(0, 1 << 30))};
    Scene& scene = checkpoint.scene;
    Snapshot& state = checkpoint.state;
    for (const EngineSetting& setting : engine_settings()) setting.member.set(state.engine, any_value(setting, random));
    scene.id = any_name(random) + "i", scene.label = any_name(random) + "l";
    scene.integrator = integrators()[random() % integrators().size()].id;
    scene.adaptive = random() % 2 ? 0.125 : 0;
    state.bodies.precision = of_state(state.engine.precision);
    state.bodies.count = scene.bodies.size();
    const std::size_t columns = state.engine.compensated ? 5 : 3;
    const auto add = [&](auto number) {
        const auto* from = reinterpret_cast<const std::byte*>(&number);
        state.bodies.bytes.insert(state.bodies.bytes.end(), from, from + sizeof number);
    };
    const auto fill = [&]<class Real>(Real) {
        for (std::size_t i = 0; i < columns * 4 * state.bodies.count; ++i) {
            const Real number = any_number<Real>(random);
            const bool mass = i < 4 * state.bodies.count && i % 4 == 3;
            add(i == 3 ? Real(1) : mass ? std::abs(number) : number);
        }
    };
    state.bodies.precision == Precision::kSingle ? fill(0.0f) : fill(0.0);
    constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
    state.steps = static_cast<std::int64_t>(random() % kExact) - static_cast<std::int64_t>(kExact / 2);
    state.moment = random() % kExact, state.history_key = random() % 64;
    state.forces_fresh = random() % 2, checkpoint.reversed = random() % 2;
    state.time = scene.time, state.gravity = scene.gravity;
    if (random() % 2) state.evaluated = Gravity{any_positive(random, true), std::abs(any_number<double>(random))};
    checkpoint.run.steps = random() % kExact;
    if (random() % 2) checkpoint.run.until = any_number<double>(random);
    if (random() % 2) {
        Diagnostics& first = checkpoint.run.first.emplace();
        first.kinetic = any_number<double>(random), first.potential = any_number<double>(random);
        first.momentum = {any_number<double>(random), 0.5, any_number<double>(random)};
        first.angular_momentum = {any_number<double>(random), -0.0, any_number<double>(random)};
        first.momentum_scale = any_number<double>(random);
    }
    return checkpoint;
}

class CheckpointProperties : public Scratch {};

TEST_F(CheckpointProperties, RoundTripsBitwise) {
    if (!format("checkpoint").why_not.empty()) GTEST_SKIP() << format("checkpoint").why_not;
    check({6, 500}, [&] {
        const Checkpoint written = any_checkpoint();
        write_checkpoint(written, path("any.orrery"));
        const Checkpoint read = read_run(path("any.orrery"));
        RC_ASSERT(read.state.bodies.bytes == written.state.bodies.bytes);
        RC_ASSERT(read.state.bodies.count == written.state.bodies.count);
        RC_ASSERT(read.state.engine == written.state.engine);
        RC_ASSERT(read.state.steps == written.state.steps);
        RC_ASSERT(read.state.moment == written.state.moment);
        RC_ASSERT(read.state.history_key == written.state.history_key);
        RC_ASSERT(read.state.forces_fresh == written.state.forces_fresh);
        RC_ASSERT(read.reversed == written.reversed);
        RC_ASSERT(same_bits(read.state.time, written.state.time));
        RC_ASSERT(read.state.evaluated.has_value() == written.state.evaluated.has_value());
        if (written.state.evaluated) {
            RC_ASSERT(same_bits(read.state.evaluated->constant, written.state.evaluated->constant));
            RC_ASSERT(same_bits(read.state.evaluated->softening, written.state.evaluated->softening));
        }
        const Scene &scene = read.scene, &was = written.scene;
        RC_ASSERT((scene.id == was.id && scene.label == was.label && scene.integrator == was.integrator));
        RC_ASSERT((scene.bodies.ids == was.bodies.ids && scene.bodies.species == was.bodies.species));
        RC_ASSERT(scene.bodies.names == was.bodies.names);
        RC_ASSERT((same_bits(scene.dt, was.dt) && scene.adaptive == was.adaptive));
        RC_ASSERT(same_bits(scene.gravity.constant, was.gravity.constant));
        RC_ASSERT(same_bits(scene.gravity.softening, was.gravity.softening));
        RC_ASSERT((read.run.steps == written.run.steps && read.run.until == written.run.until));
        RC_ASSERT(read.run.first.has_value() == written.run.first.has_value());
        if (!written.run.first) return;
        const Diagnostics &first = *read.run.first, &before = *written.run.first;
        RC_ASSERT((same_bits(first.kinetic, before.kinetic) && same_bits(first.potential, before.potential)));
        RC_ASSERT(same_bits(first.momentum, before.momentum));
        RC_ASSERT(same_bits(first.angular_momentum, before.angular_momentum));
        RC_ASSERT(same_bits(first.momentum_scale, before.momentum_scale));
    });
}

}  // namespace
}  // namespace orrery::test
