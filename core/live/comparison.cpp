// SPDX-License-Identifier: MIT
#include "core/live/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/menu.hpp"
#include "core/live/series_player.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kComparisonShare = 20;  // time between measurements in units of the time one takes
constexpr double kLeastPart = 1e-16;     // of the extent: lower limit of distances, because 0 has no logarithm
constexpr std::size_t kNoPartner = static_cast<std::size_t>(-1);
constexpr double kMostSteps = 1e9;        // between two frames of a series
constexpr Comparison::Seconds kGap{0.1};  // minimum time between measurements

double distance(const Vec4d& a, const Vec4d& b) {
    const Vec3d d = xyz(a) - xyz(b);
    return std::sqrt(dot(d, d));
}

void check(const CompareSettings& settings) {
    if (!(settings.softening >= 0) || !std::isfinite(settings.softening))
        usage_error(fmt::format("softening {} of B: must be a length of 0 or more", settings.softening));
    if (std::abs(settings.dt_power) > CompareSettings::kMostPower)
        usage_error(fmt::format("dt_power {}: must be between -{} and {}", settings.dt_power,
                                CompareSettings::kMostPower, CompareSettings::kMostPower));
}

/// The present state of A, with steps of equal length.
Scene state_of(const Simulation& a, double softening) {
    Scene scene = present_scene(a);
    scene.gravity.softening = softening;
    scene.adaptive = 0;
    return scene;
}

std::string engine_words(const EngineConfig& config) {
    const std::string map = map_in_force(config), root = root_in_force(config);
    std::string words = config.engine;
    if (!map.empty()) words += " " + map;
    if (!root.empty()) words += " " + root;
    return words + fmt::format(", {} {}", name(config.backend), name(config.precision));
}

/// Indices in `a` of the bodies of `b`, matched by id; kNoPartner for bodies that no longer exist in `a`.
std::vector<std::size_t> partners(const Bodies& a, const Bodies& b) {
    std::vector<std::size_t> found(b.size());
    if (a.size() == b.size() && a.ids == b.ids) {
        std::iota(found.begin(), found.end(), std::size_t{0});
        return found;
    }
    std::unordered_map<std::uint64_t, std::size_t> of_a;
    of_a.reserve(a.size());
    for (std::size_t i = 0; i < a.ids.size(); ++i) of_a.emplace(a.ids[i], i);
    for (std::size_t i = 0; i < b.size(); ++i) {
        const auto at = i < b.ids.size() ? of_a.find(b.ids[i]) : of_a.end();
        found[i] = at == of_a.end() ? kNoPartner : at->second;
    }
    return found;
}

void color_by_distance(const Bodies& a, const Bodies& b, Frame& frame) {
    frame.use_host();
    frame.host.resize(b.size());
    const double least = std::max(kLeastPart * frame.extent.radius, 1e-300);
    const std::vector<std::size_t> of_a = partners(a, b);
    for (std::size_t i = 0; i < b.size(); ++i) {
        const Vec4d& x = b.position_mass[i];
        const double far = of_a[i] == kNoPartner ? least : std::max(distance(a.position_mass[of_a[i]], x), least);
        frame.host[i] = {float(x.x), float(x.y), float(x.z), float(std::log10(far))};
    }
    std::vector<Vec4f> sample;
    for (const std::size_t i : sample_indices(b.size(), kExtentSample)) sample.push_back(frame.host[i]);
    const FrameExtent distances = extent_of(std::move(sample));
    frame.extent.color_by = ColorBy::kSpeed;  // linear colour scale: the scalar is already a logarithm
    frame.no_color.clear();
    frame.extent.scalar_low = distances.scalar_low, frame.extent.scalar_high = distances.scalar_high;
}

}  // namespace

EnergyState::EnergyState(const Simulation& simulation)
    : charge{simulation.system().labels().charge},
      gravity{simulation.scene().gravity},
      law{law_of(simulation.engine_config())},
      taken{simulation.encounters().log().ledger.energy} {
    if (EnergyMonitor::watches(simulation)) bodies = simulation.system().copy();
}

EnergyState::EnergyState(const Simulation& simulation, const Bodies& other)
    : charge{other.charge}, gravity{simulation.scene().gravity}, law{law_of(simulation.engine_config())}, taken{0} {
    if (EnergyMonitor::watches(simulation)) bodies = std::make_shared<HostCopy>(state_of(other));
}

void PairedEnergies::restart(double time, EnergyState a, EnergyState b) {
    if (work_)
        for (BackgroundDiagnostics& each : *work_) each.cancel();
    waited_for_.clear();
    first_.reset();
    later_ = {};
    take(time, std::move(a), std::move(b));
}

bool PairedEnergies::due() {
    collect();
    return !in_progress() && Clock::now() >= next_;
}

void PairedEnergies::take(double time, EnergyState a, EnergyState b) {
    if (in_progress()) return;
    if (!work_) work_ = std::make_unique<std::array<BackgroundDiagnostics, kSides>>();
    const std::array<Forces, kSides> forces{Forces{a.gravity, a.law}, Forces{b.gravity, b.law}};
    if (forces != forces_) first_.reset(), later_ = {};
    forces_ = forces;
    ++serial_;
    sample_ = {time, {}};
    taken_ = {a.taken, b.taken};
    seconds_ = 0;
    if (a.bodies) waited_for_.push_back(0);
    if (b.bodies) waited_for_.push_back(1);
    states_ = {std::move(a), std::move(b)};
    collect();
}

/// Work that was cancelled may still be ending: then the state waits for it.
void PairedEnergies::start(std::size_t side) {
    std::optional<EnergyState>& state = states_[side];
    BackgroundDiagnostics& work = (*work_)[side];
    if (!state || work.busy()) return;
    work.start(std::move(state->bodies), state->gravity, best_backend(), serial_, state->law, std::move(state->charge));
    state.reset();
}

void PairedEnergies::collect() {
    if (!in_progress()) return;
    std::erase_if(waited_for_, [&](std::size_t side) {
        start(side);
        const auto result = (*work_)[side].take();
        if (!result || result->serial != serial_) return false;
        if (result->failure.empty()) sample_.energies[side] = result->diagnostics.total() + taken_[side];
        seconds_ += result->seconds;
        return true;
    });
    if (in_progress()) return;
    next_ = Clock::now() +
            std::chrono::duration_cast<Clock::duration>(EnergyMonitor::gap_after(Comparison::Seconds{seconds_}));
    first_ ? later_.add(sample_) : void(first_ = sample_);
}

std::vector<EnergyPoint> PairedEnergies::points(std::size_t side) const {
    if (!first_ || first_->energies[side].value_or(0) == 0) return {};
    const double first = *first_->energies[side];
    std::vector<EnergyPoint> points{{first_->time, 0}};
    for (const Sample& each : later_.points())
        if (const auto energy = each.energies[side]) points.push_back({each.time, (*energy - first) / std::abs(first)});
    return points;
}

Divergence divergence(const Bodies& a, const Bodies& b) {
    Divergence result;
    double sum = 0;
    std::size_t both = 0;
    const std::vector<std::size_t> of_a = partners(a, b);
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (of_a[i] == kNoPartner) continue;
        const double far = distance(a.position_mass[of_a[i]], b.position_mass[i]);
        sum += far * far;
        ++both;
        if (far > result.max) result.max = far, result.body = of_a[i];
    }
    result.rms = both > 0 ? std::sqrt(sum / static_cast<double>(both)) : 0;
    return result;
}

void Comparison::set(const CompareSettings& wish) {
    check(wish);
    if (!b_) {
        engine(wish.engine.engine, wish.engine.backend);  // throws if it is not available here
        wanted_ = wish;
        begin_ = true;
        return;
    }
    if (wish.engine != settings().engine) {
        EngineConfig config = wish.engine;
        config.background = b_->engine_config().background;
        b_->set_engine(config);
        forces_.clear();
        restart_errors();
    }
    if (wish.softening != b_->scene().gravity.softening) {
        Gravity gravity = b_->scene().gravity;
        gravity.softening = wish.softening;
        b_->set_gravity(gravity);
        restart_errors();
    }
    wanted_ = wish;
}

void Comparison::allow_tuning(const Simulation& a, bool allowed) {
    if (b_) b_->allow_tuning(allowed && b_->engine_config() != a.engine_config());
}

void Comparison::law_changed(const Simulation& a) {
    if (!b_) return;
    Gravity gravity = a.scene().gravity;
    gravity.softening = b_->scene().gravity.softening;
    b_->set_gravity(gravity);
    restart_errors();
}

void Comparison::scene_changed(const Simulation& a) {
    if (!wanted_) return;
    b_.reset();  // the number of bodies may have changed
    wanted_->softening = a.scene().gravity.softening;
    begin_ = true;
}

void Comparison::stop() {
    wanted_.reset();
    b_.reset();
    begin_ = behind_ = false;
    passed_.reset();
    steps_left_ = a_pending_ = 0;
}

/// With a series, B starts from a snapshot, because bodies in between are interpolated. Equal engine settings include
/// the state of accuracy control and its measuring steps.
void Comparison::begin(Simulation& a) {
    begin_ = behind_ = false;
    passed_.reset();
    EngineConfig config = settings().engine;
    config.background = a.engine_config().background;
    Scene scene = state_of(a, settings().softening);
    const Interpolation::Moment snapshot = player_ ? player_->reached() : nullptr;
    const bool between = snapshot && apart_from(snapshot->time, a);
    if (between) {
        scene.time = snapshot->time;
        scene.bodies.position_mass = snapshot->bodies.position_mass;
        scene.bodies.velocity = snapshot->bodies.velocity;
    }
    Simulation b{std::move(scene), config, a.scene().integrator, a.forces().ranks()};
    b.allow_tuning(a.tunes() && config != a.engine_config());  // equal settings compute the same
    a.set_engine(a.engine_config());
    if (config == a.engine_config() && !between) b.restore(a.snapshot());
    b.set_color_by(a.forces().color().by, a.forces().color().along, a.forces().color().field);
    b_ = std::move(b);
    restart_errors();
    ++serial_;
    a_moment_ = a.now().moment, a_time_ = a.now().time;
    behind_ = between;
    steps_left_ = a_pending_ = 0, pending_ = 0;
    forces_.clear();
    divergence_ = Divergence{};
    next_measure_ = {};
    history_ = {};
    if (player_) history_.add({b_->now().time, 0, 0});
    energies_at_ = b_->now().time;
    energies_.restart(b_->now().time, between ? EnergyState{a, b_->system().bodies()} : EnergyState{a},
                      EnergyState{*b_});
}

bool Comparison::lost(const Simulation& a) const {
    return b_ && (a.now().moment != a_moment_ || a.now().time != a_time_);
}

void Comparison::a_stepped(const Simulation& a) {
    if (!b_ || a.now().moment != a_moment_ + 1) return;
    a_moment_ = a.now().moment, a_time_ = a.now().time;
    pending_ += a.now().dt;
    if (++a_pending_ < group()) return;
    // With a power of two of equal steps, their sum and its parts are exact.
    if (pending_ != 0) {  // otherwise A has moved back to where it was
        b_->set_dt(std::abs(pending_) / parts());
        b_->set_reversed(pending_ < 0);
        steps_left_ = parts();
    }
    a_pending_ = 0, pending_ = 0;
}

void Comparison::a_played(const Simulation& a) {
    if (!b_ || a.now().moment != a_moment_ + 1) return;
    const double from = a_time_;
    a_moment_ = a.now().moment, a_time_ = a.now().time;
    const Interpolation::Moment& reached = player_->reached();
    const bool on_the_way = (reached->time - from) * (reached->time - a.now().time) <= 0 && reached->time != from;
    passed_ = on_the_way ? reached : nullptr;
    behind_ = true;
}

/// True if the times differ by more than rounding.
bool Comparison::apart_from(double time, const Simulation& a) const {
    return std::abs(a.now().time - time) > 1e-9 * a.scene().dt;
}

/// Call when B has reached the snapshot it passes. Energies are sampled only here: bodies between snapshots are
/// interpolated.
void Comparison::meet_snapshot(const Simulation& a) {
    Bodies snapshot = b_->system().labels();
    snapshot.position_mass = passed_->bodies.position_mass, snapshot.velocity = passed_->bodies.velocity;
    passed_.reset();
    add_divergence(snapshot);
    if (b_->now().time != energies_at_ && energies_.due()) {
        energies_at_ = b_->now().time;
        energies_.take(b_->now().time, EnergyState{a, snapshot}, EnergyState{*b_});
    }
    behind_ = apart_from(b_->now().time, a);
}

/// Plans equal steps to A's time, or to a snapshot before it.
void Comparison::plan_way(const Simulation& a) {
    const double way = (passed_ ? passed_->time : a.now().time) - b_->now().time,
                 longest = std::ldexp(a.scene().dt, settings().dt_power);
    // The tolerance keeps rounding of times from adding a step.
    const double steps = std::max(1.0, std::ceil(std::abs(way) / longest * (1 - 1e-9)));
    if (!(steps <= kMostSteps))
        environment_error(fmt::format(
            "comparison stopped: B would need {:.1e} steps between two frames; a larger dt may help", steps));
    if (way == 0) return;
    b_->set_dt(std::abs(way) / steps);
    b_->set_reversed(way < 0);
    steps_left_ = static_cast<int>(steps);
}

bool Comparison::work(Simulation& a, Seconds budget) {
    try {
        if (begin_ || lost(a)) begin(a);
        if (std::exchange(behind_, false)) plan_way(a);
        if (steps_left_ > 0 && b_->advance(budget)) {
            forces_.add(b_->forces().last_seconds());
            --steps_left_;
        }
        if (steps_left_ > 0) return false;
        check_finite();
        if (passed_) meet_snapshot(a);
        if (behind_) return false;
    } catch (...) {
        stop();  // it would only fail again
        throw;
    }
    return true;
}

void Comparison::check_finite() {
    if (const auto lost = b_->lost())
        environment_error(
            fmt::format("comparison stopped: body {} of B is no longer finite at time {:g}; a smaller dt "
                        "or a larger softening may help",
                        lost->body, lost->time));
}

void Comparison::set_color_by(ColorBy by, std::optional<Vec3d> sight_line, std::optional<std::string> field) {
    if (b_) b_->set_color_by(by, sight_line, std::move(field));
}

void Comparison::complete_colors() {
    if (b_ && !b_->within_step()) orrery::complete_colors(*b_);
}

bool Comparison::take_errors() {
    if (!b_ || b_->forces().color().by != ColorBy::kError) return errors_.reset(), false;
    if (!errors_) errors_ = std::make_unique<BodyErrorMonitor>();
    return errors_->take(*b_);
}

void Comparison::fill(const Simulation& a, Frame& frame, bool may_reuse) {
    frame.computed.clear();
    if (!b_) return frame.other.reset();
    if (!frame.other) frame.other = std::make_shared<Frame>();
    Frame& other = *frame.other;
    b_->fill(other, may_reuse);
    other.extent = frame.extent;  // the same exposure and colour range for both
    other.distances = differences_;
    if (differences_) color_by_distance(a.system().bodies(), b_->system().bodies(), other);
    frame.computed = player_ ? "snapshots" : engine_words(a.engine_config());
    other.computed = engine_words(b_->engine_config());
    if (settings().dt_power != 0 && !player_)
        other.computed += settings().dt_power > 0 ? fmt::format(", {} dt", group()) : fmt::format(", dt / {}", parts());
    if (b_->scene().gravity.softening != a.scene().gravity.softening && !player_)
        for (auto* each : {&frame, &other})
            each->computed += fmt::format(", softening {:.3g}",
                                          each == &frame ? a.scene().gravity.softening : b_->scene().gravity.softening);
}

void Comparison::measure(const Simulation& a, bool each) {
    take_energies(a);
    const auto now = Clock::now();
    if (!b_ || player_ || begin_ || steps_left_ > 0 || a_pending_ > 0 || (now < next_measure_ && !each)) return;
    add_divergence(a.system().bodies());
    const Seconds gap = std::max(kGap, kComparisonShare * Seconds{Clock::now() - now});
    next_measure_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(gap);
}

void Comparison::add_divergence(const Bodies& a) {
    divergence_ = divergence(a, b_->system().bodies());
    if (history_.points().empty() || history_.points().back().time != b_->now().time)
        history_.add({b_->now().time, divergence_->rms, divergence_->max});
}

/// True if both are at the same time, between two steps.
bool Comparison::level(const Simulation& a) const {
    return b_ && !begin_ && steps_left_ == 0 && a_pending_ == 0 && !lost(a) && !a.within_step() && !b_->within_step();
}

void Comparison::take_energies(const Simulation& a) {
    if (player_ || !level(a) || b_->now().time == energies_at_ || !energies_.due()) return;
    energies_at_ = b_->now().time;
    energies_.take(b_->now().time, EnergyState{a}, EnergyState{*b_});
}

void Comparison::report(const Simulation& a, Status& status) {
    CompareStatus& s = status.compare;
    s.wanted = wanted_;
    s.on = b_.has_value();
    s.of_series = player_ != nullptr;
    if (!b_) return;
    take_energies(a);
    energies_.collect();
    s.settings = settings();
    s.serial = serial_;
    s.engine_choice = b_->engine_choice();
    s.force = forces_.timing();
    s.progress = b_->forces().progress();
    s.time = b_->now().time;
    s.divergence = divergence_;
    s.history = history_.points();
    s.energy_a = energies_.points_a();
    s.energy_b = energies_.points_b();
}

}  // namespace orrery
