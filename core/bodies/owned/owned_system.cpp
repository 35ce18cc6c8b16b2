// SPDX-License-Identifier: MIT
#include "core/bodies/owned/owned_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/base/error.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/kernel_choice.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/law.hpp"

namespace orrery {
namespace {

/// Time to move bodies to other ranks, in evaluations of all bodies. On the CPU 0.20 s, where an evaluation by `fmm`
/// takes 0.49 s (524 288 bodies, two ranks of one thread). For a device, whose bodies pass through the host, an
/// estimate.
constexpr double move_cost(Backend backend) { return backend == Backend::kCpu ? 0.4 : 50; }

/// Interactions of a rank for measuring the force error: about a second on a device.
constexpr double kDeviceReferenceCost = 1e11;

/// Accuracy of the points relative to that of the engine. Few cells are near the limit of the criterion, because it
/// must hold for the nearest box of another rank: at 1 the error of all forces grows by 10 % (60 000 bodies on four
/// ranks).
constexpr double kShareOfPoints = 1;
/// The largest θ by which cells are accepted without accelerations to compare with.
constexpr double kMostPointTheta = 0.6;

// history_key() has bits of the engine's key, then of Age: at most 53, as files store a double.
constexpr int kKeyBits = 6, kEvaluationBits = 2, kSourceBits = 22;
constexpr std::uint64_t kMostSources = (1u << kSourceBits) - 1;
constexpr std::uint64_t kAged = 2;           // evaluations; more are not counted
constexpr double kSourceUnit = 1.0 / 65536;  // of the number of all bodies

constexpr std::uint64_t bits_of(std::uint64_t key, int first, int bits) {
    return key >> first & ((std::uint64_t{1} << bits) - 1);
}

constexpr int kSpeciesShift = 56;  // of an id: species are kept in its highest bits while bodies move

std::uint64_t tag_of(std::uint64_t id, Species species) {
    return id | static_cast<std::uint64_t>(species) << kSpeciesShift;
}

TreeChoice choice_of(const EngineConfig& config, std::uint64_t count, double scale) {
    return config.engine == "fmm" ? fmm_choice(config.tree, config.backend, count, scale)
                                  : tree_choice(config.tree, config.backend, count, scale);
}

Vec3d sum_of_vectors(Vec3d a, const Vec3d& b) { return a + b; }

}  // namespace

template <class Real>
OwnedSystem<Real>::OwnedSystem(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry,
                               const BodySource& bodies, Ranks& ranks)
    : EngineSystem{std::move(engine), entry, bodies, config.precision, nullptr},
      ranks_{ranks},
      config_{config},
      pool_{config.threads, config.background} {}

template <class Real>
void OwnedSystem<Real>::begin_with(const BodySource& bodies) {
    const std::vector<std::uint64_t> counts = from_all<std::uint64_t>(ranks_, bodies.size());
    const std::uint64_t before = std::accumulate(counts.begin(), counts.begin() + ranks_.rank(), std::uint64_t{0});
    const Bodies& labels = bodies.labels();
    PartRows<Real> rows;
    rows.position_mass.resize(bodies.size()), rows.velocity.resize(bodies.size()), rows.ids.resize(bodies.size());
    for_stretches(bodies, [&](std::size_t first, std::span<const Vec4d> x, std::span<const Vec3d> v) {
        if (!bodies.in_memory()) require_fit(x, v, config_.precision, first);
        for_each_in_blocks(pool_, x.size(), [&](std::size_t i) {
            rows.position_mass[first + i] = convert<Real>(x[i]);
            rows.velocity[first + i] = {Real(v[i].x), Real(v[i].y), Real(v[i].z), 0};
            const std::uint64_t id = labels.ids.empty() ? before + first + i : labels.ids[first + i];
            rows.ids[first + i] = tag_of(id, labels.species.empty() ? Species{} : labels.species[first + i]);
        });
    });
    if (!labels.species.empty()) labels_.species.resize(1);  // kept from now on
    if (!ranks_.in_place) orrery::redistribute(ranks_, pool_, rows);
    adopt(rows);
    set_rows(std::move(rows));
}

/// Stores what concerns all ranks: how many bodies each has, their total mass, and the heavy ones.
template <class Real>
void OwnedSystem<Real>::adopt(const PartRows<Real>& rows) {
    RankSize own{rows.count(), 0, 0};
    for (const Vec4<Real>& body : rows.position_mass)
        own.mass += double(body.w), own.heaviest = std::max(own.heaviest, double(body.w));
    const std::vector<RankSize> all = from_all(ranks_, own);
    starts_.clear();
    mass_ = 0;
    double heaviest = 0;
    std::size_t end = 0;
    for (const RankSize& each : all) {
        starts_.push_back(end += each.bodies);
        mass_ += each.mass, heaviest = std::max(heaviest, each.heaviest);
    }
    heavy_from_ = heavy_from(mass_, static_cast<double>(count()));
    heavy_.clear();
    if (heaviest > 0 && heaviest >= heavy_from_) {
        struct Heavy {
            double mass;
            std::uint64_t body;
        };
        std::vector<Heavy> mine;
        for (std::size_t i = 0; i < rows.count(); ++i)
            if (double(rows.position_mass[i].w) >= heavy_from_)
                mine.push_back({double(rows.position_mass[i].w), first_of(ranks_.rank()) + i});
        const auto numbers = from_all<std::uint64_t>(ranks_, mine.size());
        std::vector<std::size_t> ends(numbers.size());
        std::partial_sum(numbers.begin(), numbers.end(), ends.begin());
        std::vector<Heavy> found(ends.back());
        std::ranges::copy(mine, found.begin() + static_cast<std::ptrdiff_t>(
                                                    ends[static_cast<std::size_t>(ranks_.rank())] - mine.size()));
        gather(ranks_, std::span{found}, [&](int r) { return ends[static_cast<std::size_t>(r)]; });
        std::ranges::stable_sort(found, std::ranges::greater{}, &Heavy::mass);
        for (const Heavy& each : found) heavy_.push_back(static_cast<std::uint32_t>(each.body));
    }
    labels_.ids.resize(rows.count());
    const bool species = !labels_.species.empty();
    labels_.species.resize(species ? rows.count() : 0);
    for (std::size_t i = 0; i < rows.count(); ++i) {
        labels_.ids[i] = rows.ids[i] & ((std::uint64_t{1} << kSpeciesShift) - 1);
        if (species) labels_.species[i] = static_cast<Species>(rows.ids[i] >> kSpeciesShift);
    }
    age_ = {};
}

template <class Real>
void OwnedSystem<Real>::redistribute() {
    wait();
    PartRows<Real> all = rows();
    all.ids = labels_.ids;
    for (std::size_t i = 0; i < labels_.species.size(); ++i) all.ids[i] = tag_of(all.ids[i], labels_.species[i]);
    orrery::redistribute(ranks_, pool_, all);
    adopt(all);
    set_rows(std::move(all));
}

template <class Real>
PointRule OwnedSystem<Real>::rule(const Gravity& gravity, bool compare) const {
    const double accuracy = kShareOfPoints * scale_ * choice_of(config_, count(), scale_).accuracy;
    if (evaluated_ && compare) return {.relative = true, .alpha = alpha_for(accuracy, 2), .G = evaluated_->constant};
    // The inverse of accuracy_of_theta().
    const double theta = std::pow(accuracy / accuracy_of_theta(1, 2), 1 / 3.6);
    return {.theta = std::min(theta, kMostPointTheta), .G = gravity.constant};
}

template <class Real>
std::uint64_t OwnedSystem<Real>::begin_forces(const Gravity& gravity, Potential potential) {
    if (gravity.law != PairLaw::kGravity) usage_error("--ranks own computes gravity alone; use --ranks all");
    if (static_cast<double>(age_.excess) * kSourceUnit > move_cost(config_.backend)) redistribute();
    return begin_evaluation(gravity, potential);
}

template <class Real>
std::uint64_t OwnedSystem<Real>::begin_evaluation(const Gravity& gravity, Potential potential) {
    gravity_ = gravity;
    const CellLevels levels{own_count()};
    struct Size {
        std::uint64_t boxes;
        double acceleration;  // sum over the bodies
    };
    const int level = levels.box_level();
    const double own_mean = describe(levels, heavy_from_);
    const std::vector<Size> sizes =
        from_all(ranks_, Size{levels.cells(level), own_mean * static_cast<double>(own_count())});
    std::vector<std::size_t> ends;
    double mean = 0;
    for (const Size& each : sizes) {
        ends.push_back((ends.empty() ? 0 : ends.back()) + each.boxes);
        mean += each.acceleration / static_cast<double>(count());
    }
    const std::vector<DomainBox> own = boxes_of(level, mean);
    std::vector<DomainBox> boxes(ends.back());
    std::ranges::copy(
        own, boxes.begin() + static_cast<std::ptrdiff_t>(ends[static_cast<std::size_t>(ranks_.rank())] - own.size()));
    gather(ranks_, std::span{boxes}, [&](int r) { return ends[static_cast<std::size_t>(r)]; });

    const std::vector<std::uint64_t> numbers =
        rows_of_all<std::uint64_t>(ranks_, select(boxes, ends, rule(gravity, mean > 0)));
    exchange_sources(numbers);
    grow_older(std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}));
    if (evaluated_)
        restore_engine(*evaluated_, EngineSystem::history_key());
    else
        EngineSystem::forget_history();
    return items_ = begin_engine(gravity, potential);
}

/// `sources`: received by all ranks. The first evaluation may lack accelerations to compare with, so the second is the
/// base.
template <class Real>
void OwnedSystem<Real>::grow_older(std::uint64_t sources) {
    const double units = static_cast<double>(sources) / (kSourceUnit * static_cast<double>(count()));
    const auto now = static_cast<std::uint64_t>(std::min(units, static_cast<double>(kMostSources)));
    if (age_.evaluations < kAged)
        ++age_.evaluations, age_.sources = now, age_.excess = 0;
    else if (now > age_.sources)
        age_.excess = std::min(age_.excess + now - age_.sources, kMostSources);
}

template <class Real>
void OwnedSystem<Real>::run_forces(std::uint64_t first, std::uint64_t last) {
    run_engine(first, last);
    if (last < items_) return;
    const std::vector<ForceSums> all = from_all(ranks_, sums(Sums::kForces));
    Vec3d force{0, 0, 0};
    for (const ForceSums& each : all) force = sum_of_vectors(force, each.force);
    if (mass_ > 0) add_to_accelerations((-1 / mass_) * force);
    evaluated_.reset();
    if (gravity_.constant > 0) evaluated_ = gravity_;  // otherwise there is nothing to compare with
}

template <class Real>
BodyState OwnedSystem<Real>::save() const {
    const PartRows<Real> all = rows();
    return pack<Real>(all.position_mass, all.velocity, all.acceleration);
}

/// The state of a system with the same bodies on each rank, or one from a file: then labels() are those of the file.
template <class Real>
void OwnedSystem<Real>::restore(const BodyState& state) {
    BodyVectors<Real> from = unpack<Real>(state);
    PartRows<Real> all{std::move(from.position_mass), std::move(from.velocity), std::move(from.acceleration), {}};
    set_rows(std::move(all));
}

template <class Real>
void OwnedSystem<Real>::restore_history(const Gravity& gravity, std::uint64_t key) {
    evaluated_ = gravity;
    age_ = {.evaluations = bits_of(key, kKeyBits, kEvaluationBits),
            .sources = bits_of(key, kKeyBits + kEvaluationBits, kSourceBits),
            .excess = bits_of(key, kKeyBits + kEvaluationBits + kSourceBits, kSourceBits)};
    restore_engine(gravity, bits_of(key, 0, kKeyBits));
}
template <class Real>
void OwnedSystem<Real>::forget_history() {
    evaluated_.reset();
    EngineSystem::forget_history();
}
template <class Real>
std::uint64_t OwnedSystem<Real>::history_key() const {
    return bits_of(EngineSystem::history_key(), 0, kKeyBits) | age_.evaluations << kKeyBits |
           age_.sources << (kKeyBits + kEvaluationBits) | age_.excess << (kKeyBits + kEvaluationBits + kSourceBits);
}
template <class Real>
void OwnedSystem<Real>::scale_acceptance(double factor) {
    scale_ = factor;
    EngineSystem::scale_acceptance(factor);
}

template <class Real>
Bodies OwnedSystem<Real>::own_bodies() const {
    const PartRows<Real> all = rows();
    Bodies own = labels_;
    own.position_mass.reserve(all.count()), own.velocity.reserve(all.count());
    for (const Vec4<Real>& x : all.position_mass) own.position_mass.push_back(convert<double>(x));
    for (const Vec4<Real>& v : all.velocity) own.velocity.push_back(xyz(convert<double>(v)));
    return own;
}

template <class Real>
Bodies OwnedSystem<Real>::bodies() const {
    PartRows<Real> mine = rows();
    mine.ids = labels_.ids;
    const bool species = !labels_.species.empty();
    for (std::size_t i = 0; i < labels_.species.size(); ++i) mine.ids[i] = tag_of(mine.ids[i], labels_.species[i]);
    if (!ranks_.first()) {
        ranks_.send(std::as_bytes(std::span{mine.position_mass}), 0);
        ranks_.send(std::as_bytes(std::span{mine.velocity}), 0);
        ranks_.send(std::as_bytes(std::span{mine.ids}), 0);
        return {};
    }
    mine.position_mass.resize(count()), mine.velocity.resize(count()), mine.ids.resize(count());
    for (int from = 1; from < ranks_.count(); ++from) {
        const std::size_t first = first_of(from), bodies = first_of(from + 1) - first;
        ranks_.receive(std::as_writable_bytes(std::span{mine.position_mass}.subspan(first, bodies)), from);
        ranks_.receive(std::as_writable_bytes(std::span{mine.velocity}.subspan(first, bodies)), from);
        ranks_.receive(std::as_writable_bytes(std::span{mine.ids}.subspan(first, bodies)), from);
    }
    constexpr std::uint64_t kIds = (std::uint64_t{1} << kSpeciesShift) - 1;
    std::vector<std::uint32_t> order(count());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return mine.ids[i] & kIds; });
    Bodies all;
    bool numbered = true;  // ids are the indices, as of bodies without ids
    for (const std::uint32_t i : order) {
        const std::uint64_t id = mine.ids[i] & kIds;
        numbered = numbered && id == all.size();
        all.position_mass.push_back(convert<double>(mine.position_mass[i]));
        all.velocity.push_back(xyz(convert<double>(mine.velocity[i])));
        all.ids.push_back(id);
        if (species) all.species.push_back(static_cast<Species>(mine.ids[i] >> kSpeciesShift));
    }
    if (numbered) all.ids.clear();
    return all;
}

template <class Real>
void OwnedSystem<Real>::set_fields(std::vector<BodyField> fields) {
    if (!fields.empty()) usage_error("--ranks own keeps no fields of bodies; use --ranks all");
}

template <class Real>
std::vector<Vec4d> OwnedSystem<Real>::accelerations() const {
    std::vector<Vec4d> all;
    for (const Vec4<Real>& a : rows().acceleration) all.push_back(convert<double>(a));
    return all;
}

template <class Real>
std::optional<std::uint32_t> OwnedSystem<Real>::own_index(std::size_t of_all) const {
    const std::size_t first = first_of(ranks_.rank());
    if (of_all < first || of_all >= first + own_count()) return std::nullopt;
    return static_cast<std::uint32_t>(of_all - first);
}

template <class Real>
std::vector<BodySample> OwnedSystem<Real>::sample(std::span<const std::uint32_t> which) const {
    std::vector<std::uint32_t> own;
    for (const std::uint32_t body : which)
        if (const auto at = own_index(body)) own.push_back(*at);
    const std::vector<BodySample> found = own_samples(own);
    std::vector<BodySample> all;
    std::vector<std::size_t> ends, next;
    for (const std::size_t end : starts_)
        ends.push_back(
            static_cast<std::size_t>(std::ranges::count_if(which, [end](std::uint32_t body) { return body < end; })));
    all.resize(which.size());
    const std::size_t at = ranks_.first() ? 0 : ends[static_cast<std::size_t>(ranks_.rank()) - 1];
    std::ranges::copy(found, all.begin() + static_cast<std::ptrdiff_t>(at));
    gather(ranks_, std::span{all}, [&](int r) { return ends[static_cast<std::size_t>(r)]; });
    // Those of each rank are together now; put them into the requested order.
    for (int r = 0; r < ranks_.count(); ++r) next.push_back(r == 0 ? 0 : ends[static_cast<std::size_t>(r) - 1]);
    std::vector<BodySample> ordered;
    for (const std::uint32_t body : which) {
        const auto rank = static_cast<std::size_t>(std::ranges::upper_bound(starts_, body) - starts_.begin());
        ordered.push_back(all[next[rank]++]);
    }
    return ordered;
}

template <class Real>
ForceError OwnedSystem<Real>::force_error(const Gravity& gravity, std::size_t samples) const {
    const double cost = config_.backend == Backend::kCpu ? kHostReferenceCost : kDeviceReferenceCost;
    return this->force_error_within(cost * ranks_.count(), gravity, samples);
}

template <class Real>
std::vector<Vec4d> OwnedSystem<Real>::references(const Gravity& gravity, std::span<const std::uint32_t> which) const {
    std::vector<Vec4d> at;
    std::vector<std::optional<std::uint32_t>> own;
    for (const BodySample& body : sample(which)) at.push_back(body.position_mass);
    for (const std::uint32_t body : which) own.push_back(own_index(body));
    const std::vector<Vec4d> mine = own_references(gravity, at, own);
    std::vector<Vec4d> all(which.size());
    sum_in_order(ranks_, std::span{all}, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k)
            all[k] = {all[k].x + mine[k].x, all[k].y + mine[k].y, all[k].z + mine[k].z, 0};
    });
    return all;
}

template <class Real>
Vec3d OwnedSystem<Real>::centre_of_mass() const {
    Vec3d moment{0, 0, 0};
    double mass = 0;
    for (const ForceSums& each : from_all(ranks_, sums(Sums::kAll)))
        moment = sum_of_vectors(moment, each.moment), mass += each.mass;
    return (1 / mass) * moment;
}

template <class Real>
double OwnedSystem<Real>::net_force() const {
    Vec3d force{0, 0, 0};
    double size = 0;
    for (const ForceSums& each : from_all(ranks_, sums(Sums::kAll)))
        force = sum_of_vectors(force, each.force), size += each.size;
    return size > 0 ? std::sqrt(dot(force, force)) / size : 0;
}

template <class Real>
double OwnedSystem<Real>::potential_energy(const Gravity& gravity) {
    wait();
    const BodyState before = save();
    const auto evaluated = evaluated_;
    const Age age = age_;
    run_forces(0, begin_evaluation(gravity, Potential::kCompute));
    double energy = 0;
    for (const ForceSums& each : from_all(ranks_, sums(Sums::kAll))) energy += 0.5 * each.potential;
    restore(before);
    age_ = age, evaluated_ = evaluated;
    return energy;
}

template <class Real>
std::optional<std::size_t> OwnedSystem<Real>::first_not_finite() const {
    constexpr std::uint64_t kNone = ~std::uint64_t{0};
    const auto own = first_own_not_finite();
    std::uint64_t first = kNone;
    for (const std::uint64_t id : from_all(ranks_, own ? labels_.ids[*own] : kNone)) first = std::min(first, id);
    return first == kNone ? std::nullopt : std::optional<std::size_t>{first};
}

template <class Real>
void OwnedSystem<Real>::fill(Frame&, const Coloring&) const {
    throw std::logic_error{"bodies of several ranks are not drawn"};
}

namespace {

void require_ownable(const EngineConfig& config, const BodySource& bodies, Ranks& ranks) {
    const Bodies& labels = bodies.labels();
    if (config.engine != "tree" && config.engine != "fmm")
        usage_error(
            fmt::format("--ranks own needs --engine fmm or tree, not {}: others sum over all bodies, which "
                        "--ranks all keeps on every rank",
                        config.engine));
    if (config.backend == Backend::kGl) usage_error("--ranks own needs --backend cuda or cpu");
    if (config.precision == Precision::kMixed || config.compensated)
        usage_error(
            "--ranks own has neither mixed precision nor compensated sums: use --precision single or double, without "
            "--compensated");
    for (const bool there : from_all<std::uint8_t>(
             ranks, !labels.names.empty() || !labels.charge.empty() || std::ranges::count(labels.pinned, 1) > 0))
        if (there) usage_error("--ranks own keeps no names, charges and pins of bodies; use --ranks all");
    std::uint64_t all = 0;
    for (const std::uint64_t each : from_all<std::uint64_t>(ranks, bodies.size())) all += each;
    if (all < kLeastOwned * static_cast<std::uint64_t>(ranks.count()))
        usage_error(fmt::format("--ranks own needs at least {} bodies for {} ranks; use --ranks all",
                                kLeastOwned * static_cast<std::uint64_t>(ranks.count()), ranks.count()));
}

}  // namespace

std::unique_ptr<BodySystem> make_owned_system(const EngineConfig& config, const BodySource& bodies, Ranks& ranks) {
    require_ownable(config, bodies, ranks);
    const EngineEntry& entry = engine(config.engine, config.backend);
    require_precision(entry, config.precision);
    if (const Bodies* all = bodies.in_memory()) require_fit(*all, config.precision);
    AnyEngine made = entry.make(config);
    return entry.backend == Backend::kCpu ? make_owned_host_system(std::move(made), config, entry, bodies, ranks)
                                          : make_owned_device_system(std::move(made), config, entry, bodies, ranks);
}

template class OwnedSystem<float>;
template class OwnedSystem<double>;

}  // namespace orrery
