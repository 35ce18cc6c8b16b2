// SPDX-License-Identifier: MIT
#include "core/bodies/owned/owned_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/base/error.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/law.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

/// Time to move bodies to other ranks, in evaluations of all bodies. On the CPU 0.20 s, where an evaluation by `fmm`
/// takes 0.49 s (524 288 bodies, two ranks of one thread). For a device, which sorts and allocates again, an estimate.
constexpr double move_cost(Backend backend) { return backend == Backend::kCpu ? 0.4 : 5; }

/// Interactions of a rank for measuring the force error: about a second on a device.
constexpr double kDeviceReferenceCost = 1e11;

/// Accuracy of the points relative to that of the engine. Few cells are near the limit of the criterion, because it
/// must hold for the nearest box of another rank: at 1 the error of all forces grows by 10 % (60 000 bodies on four
/// ranks).
constexpr double kShareOfPoints = 1;
/// The largest θ by which cells are accepted without accelerations to compare with.
constexpr double kMostPointTheta = 0.6;

// history_key() has bits of the engine's key, then of Age: at most 53, as files store a double.
constexpr int kKeyBits = 6, kEvaluationBits = 2, kSourceBits = 18, kCostBits = 9;
static_assert(kKeyBits + kEvaluationBits + 2 * kSourceBits + kCostBits <= 53);
constexpr std::uint64_t kMostSources = (1u << kSourceBits) - 1;
constexpr std::uint64_t kAged = 2;          // evaluations; more are not counted
constexpr double kSourceUnit = 1.0 / 4096;  // of the number of all bodies

/// Reads and writes the fields of a key one after the other.
struct KeyFields {
    std::uint64_t key = 0;
    int at = 0;
    void put(std::uint64_t value, int bits) { key |= value << at, at += bits; }
    std::uint64_t take(int bits) {
        const std::uint64_t value = key >> at & ((std::uint64_t{1} << bits) - 1);
        at += bits;
        return value;
    }
};

// The cost of a body is in interactions with bodies: one with a cell of `fmm` takes as long as 45 of them, sorting and
// building as 280 (order 4, 67 108 864 bodies: bench/results/h200/fmm_64m.csv).
constexpr double kCellOfFmm = 45, kCellOfTree = 1, kOfEachBody = 280;
/// Stored costs: powers of 2^(1/16).
constexpr double kCostSteps = 16;
constexpr std::uint64_t kMostCost = (1u << kCostBits) - 1;
std::uint64_t code_of(double cost) {
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::lround(kCostSteps * std::log2(cost))), 1,
                                     kMostCost);
}
double cost_of(std::uint64_t code) { return std::exp2(static_cast<double>(code) / kCostSteps); }
/// A rank has at most this share of the mean number of bodies more than the mean, because its memory is limited.
constexpr double kMostBodies = 1.25;
/// Ranks whose work is unequal by less than this do not wait.
constexpr double kUnequal = 0.05;

constexpr int kSpeciesShift = 56;  // of an id: species are kept in its highest bits while bodies move

constexpr std::uint64_t kMostIdWithSpecies = (std::uint64_t{1} << kSpeciesShift) - 1;

std::uint64_t tag_of(std::uint64_t id, Species species) {
    return id | static_cast<std::uint64_t>(species) << kSpeciesShift;
}

TreeChoice choice_of(const EngineConfig& config, std::uint64_t count, double scale) {
    return config.engine == "fmm" ? fmm_choice(config.tree, config.backend, count, scale)
                                  : tree_choice(config.tree, config.backend, count, scale);
}

/// True for colours of a body that follow from its own state.
bool drawn_alone(ColorBy by) {
    return by == ColorBy::kSpeed || by == ColorBy::kAcceleration || by == ColorBy::kMass || by == ColorBy::kPotential ||
           by == ColorBy::kSpecies || by == ColorBy::kSightLine;
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
    make_room(bodies.size());
    std::vector<std::uint64_t> tags(bodies.size());
    for_stretches(bodies, [&](std::size_t first, std::span<const Vec4d> x, std::span<const Vec3d> v) {
        if (!bodies.in_memory()) require_fit(x, v, config_.precision, first);
        take(first, x, v);
        for_each_in_blocks(pool_, x.size(), [&](std::size_t i) {
            const std::uint64_t id = labels.ids.empty() ? before + first + i : labels.ids[first + i];
            tags[first + i] = tag_of(id, labels.species.empty() ? Species{} : labels.species[first + i]);
        });
    });
    if (!labels.species.empty()) labels_.species.resize(1);  // kept from now on
    if (!ranks_.in_place) move_to_owners(1, tags);
    set_labels(std::move(tags));
    adopt();
}

template <class Real>
std::vector<std::uint64_t> OwnedSystem<Real>::tags() const {
    std::vector<std::uint64_t> tags = labels_.ids;
    for (std::size_t i = 0; i < labels_.species.size(); ++i) tags[i] = tag_of(tags[i], labels_.species[i]);
    return tags;
}

template <class Real>
void OwnedSystem<Real>::set_labels(std::vector<std::uint64_t> tags) {
    const bool species = !labels_.species.empty();
    labels_.species.resize(species ? tags.size() : 0);
    for_each_in_blocks(pool_, tags.size(), [&](std::size_t i) {
        if (species) labels_.species[i] = static_cast<Species>(tags[i] >> kSpeciesShift);
        tags[i] &= id_bits();
    });
    labels_.ids = std::move(tags);
}

template <class Real>
std::uint64_t OwnedSystem<Real>::id_bits() const {
    return labels_.species.empty() ? ~std::uint64_t{0} : kMostIdWithSpecies;
}

/// Stores what concerns all ranks: how many bodies each has, their total mass, and the heavy ones.
template <class Real>
void OwnedSystem<Real>::adopt() {
    const Masses masses = this->masses();
    const RankSize own{own_count(), masses.sum, masses.heaviest};
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
        const PartRows<Real> rows = this->rows();
        for (std::size_t i = 0; i < rows.count(); ++i)
            if (double(rows.position_mass[i].w) >= heavy_from_)
                mine.push_back({double(rows.position_mass[i].w), first_of(ranks_.rank()) + i});
        std::vector<Heavy> found = lists_of_all<Heavy>(ranks_, mine);
        std::ranges::stable_sort(found, std::ranges::greater{}, &Heavy::mass);
        for (const Heavy& each : found) heavy_.push_back(static_cast<std::uint32_t>(each.body));
    }
    age_ = {};
    choose_sample();
}

template <class Real>
void OwnedSystem<Real>::redistribute() {
    wait();
    const std::vector<std::uint64_t> codes = from_all(ranks_, age_.cost);
    double relative = 1;
    if (std::ranges::count(codes, 0) == 0) {
        double mean = 0;
        for (std::size_t r = 0; r < codes.size(); ++r)
            mean += cost_of(codes[r]) * static_cast<double>(starts_[r] - first_of(static_cast<int>(r))) /
                    static_cast<double>(count());
        relative = std::max(cost_of(age_.cost) / mean, 1 / kMostBodies);
    }
    std::vector<std::uint64_t> moved = tags();
    move_to_owners(relative, moved);
    set_labels(std::move(moved));
    adopt();
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
    mark(Mark::kBegun);
    const CellLevels levels{own_count()};
    struct Size {
        double acceleration;  // sum over the bodies
        double cost;          // of a body; 0: not counted
    };
    const double own_mean = describe(levels, heavy_from_);
    mark(Mark::kDescribed);
    const std::vector<Size> sizes =
        from_all(ranks_, Size{own_mean * static_cast<double>(own_count()), age_.cost > 0 ? cost_of(age_.cost) : 0});
    std::vector<std::size_t> ends;
    std::vector<double> costs;
    double mean = 0;
    for (int r = 0; r < ranks_.count(); ++r) {
        const CellLevels of_rank{first_of(r + 1) - first_of(r)};
        ends.push_back((ends.empty() ? 0 : ends.back()) + of_rank.cells(of_rank.box_level()));
        const Size& each = sizes[static_cast<std::size_t>(r)];
        mean += each.acceleration / static_cast<double>(count());
        costs.push_back(each.cost);
    }
    share_boxes(levels.box_level(), mean, ends);
    mark(Mark::kShared);
    const std::vector<std::uint64_t> numbers =
        rows_of_all<std::uint64_t>(ranks_, select(ends, rule(gravity, mean > 0)));
    mark(Mark::kSelected);
    exchange_sources(numbers);
    mark(Mark::kExchanged);
    grow_older(std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}), waiting(costs));
    if (evaluated_)
        restore_engine(*evaluated_, EngineSystem::history_key());
    else
        EngineSystem::forget_history();
    return items_ = begin_engine(gravity, potential);
}

/// `sources`: received by all ranks. The first evaluation may lack accelerations to compare with, so the second is the
/// base.
template <class Real>
void OwnedSystem<Real>::grow_older(std::uint64_t sources, double waiting) {
    const auto in_units = [this](double bodies) {
        const double units = bodies / (kSourceUnit * static_cast<double>(count()));
        return static_cast<std::uint64_t>(std::min(units, static_cast<double>(kMostSources)));
    };
    const std::uint64_t now = in_units(static_cast<double>(sources));
    if (age_.evaluations < kAged) {
        ++age_.evaluations, age_.sources = now, age_.excess = 0;
        return;
    }
    const std::uint64_t more = std::max(now, age_.sources) - age_.sources;
    age_.excess = std::min(age_.excess + more + in_units(waiting * static_cast<double>(count())), kMostSources);
}

/// Stores the cost of an own body in the last evaluation.
template <class Real>
void OwnedSystem<Real>::count_cost() {
    const EngineReport report = EngineSystem::engine_report();
    const double cell = config_.engine == "fmm" ? kCellOfFmm : kCellOfTree;
    const double each = kOfEachBody + report.with_bodies + cell * report.with_cells;
    age_.cost = code_of(each * static_cast<double>(evaluated()) / static_cast<double>(own_count()));
}

/// The time in which the ranks wait for the slowest one, in evaluations.
template <class Real>
double OwnedSystem<Real>::waiting(std::span<const double> costs) const {
    double most = 0, sum = 0;
    for (std::size_t r = 0; r < costs.size(); ++r) {
        if (!(costs[r] > 0)) return 0;
        const double work = costs[r] * static_cast<double>(starts_[r] - first_of(static_cast<int>(r)));
        most = std::max(most, work), sum += work;
    }
    return std::max(0.0, most * static_cast<double>(costs.size()) / sum - 1 - kUnequal);
}

template <class Real>
EngineReport OwnedSystem<Real>::engine_report() const {
    EngineReport report = EngineSystem::engine_report();
    if (report.phases.empty()) return report;
    const auto phase = [this](std::string_view name, Mark from, Mark to) {
        return Phase{name, seconds_between(from, to)};
    };
    const std::array before{
        phase("cells", Mark::kBegun, Mark::kDescribed), phase("boxes", Mark::kDescribed, Mark::kShared),
        phase("select", Mark::kShared, Mark::kSelected), phase("exchange", Mark::kSelected, Mark::kExchanged)};
    report.phases.insert(report.phases.begin(), before.begin(), before.end());
    report.phases.push_back(phase("balance", Mark::kEvaluated, Mark::kBalanced));
    return report;
}

template <class Real>
void OwnedSystem<Real>::run_forces(std::uint64_t first, std::uint64_t last) {
    run_engine(first, last);
    if (last < items_) return;
    mark(Mark::kEvaluated);
    if (mass_ > 0) balance(mass_);
    mark(Mark::kBalanced);
    if (age_.evaluations == kAged && age_.cost == 0) count_cost();  // now: a resumed system has no report of it
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
    KeyFields fields{key};
    const std::uint64_t of_engine = fields.take(kKeyBits);
    age_.evaluations = fields.take(kEvaluationBits), age_.sources = fields.take(kSourceBits);
    age_.excess = fields.take(kSourceBits), age_.cost = fields.take(kCostBits);
    restore_engine(gravity, of_engine);
}
template <class Real>
void OwnedSystem<Real>::forget_history() {
    evaluated_.reset();
    EngineSystem::forget_history();
}
template <class Real>
std::uint64_t OwnedSystem<Real>::history_key() const {
    KeyFields fields;
    fields.put(EngineSystem::history_key() & ((1u << kKeyBits) - 1), kKeyBits);
    fields.put(age_.evaluations, kEvaluationBits), fields.put(age_.sources, kSourceBits);
    fields.put(age_.excess, kSourceBits), fields.put(age_.cost, kCostBits);
    return fields.key;
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
    Bodies all;
    in_stretches([&](const BodyStretches& stretches) { all = stretches.all(); });
    return all;
}

namespace {

/// Consecutive bodies that rank 0 requests from another rank; none: it needs no more.
struct RowRequest {
    std::uint64_t first, count;
};

/// The bodies of all ranks, one part after the other.
template <class Real>
class AllRows {
public:
    AllRows(Ranks& ranks, PartRows<Real> own, std::uint64_t id_bits, bool with_ids, bool with_species)
        : ranks_{ranks},
          own_{std::move(own)},
          id_bits_{id_bits},
          with_ids_{with_ids},
          with_species_{with_species},
          ends_{from_all<std::size_t>(ranks, own_.count())} {
        std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    }

    /// On rank 0.
    void read(std::uint64_t first, std::size_t count, Bodies& into) const {
        into = {};
        for (std::size_t r = 0; r < ends_.size(); ++r) {
            const std::uint64_t begin = r == 0 ? 0 : ends_[r - 1], from = std::max<std::uint64_t>(first, begin),
                                to = std::min<std::uint64_t>(first + count, ends_[r]);
            if (from < to) append(static_cast<int>(r), {from - begin, to - from}, into);
        }
    }
    /// On the others, until rank 0 calls finish().
    void serve() const {
        for (RowRequest wish{};;) {
            ranks_.receive(std::as_writable_bytes(std::span{&wish, 1}), 0);
            if (wish.count == 0) return;
            const auto send = [&](const auto& column) { ranks_.send(std::as_bytes(part(column, wish)), 0); };
            send(own_.position_mass), send(own_.velocity), send(own_.ids);
        }
    }
    void finish() const {
        const RowRequest none{};
        for (int r = 1; r < ranks_.count(); ++r) ranks_.send(std::as_bytes(std::span{&none, 1}), r);
    }

private:
    template <class Column>
    static auto part(Column& column, const RowRequest& wish) {
        return std::span{column}.subspan(static_cast<std::size_t>(wish.first), static_cast<std::size_t>(wish.count));
    }
    void append(int rank, const RowRequest& wish, Bodies& into) const {
        if (rank == 0)
            return convert_rows(part(own_.position_mass, wish), part(own_.velocity, wish), part(own_.ids, wish), into);
        const auto count = static_cast<std::size_t>(wish.count);
        std::vector<Vec4<Real>> x(count), v(count);
        std::vector<std::uint64_t> ids(count);
        ranks_.send(std::as_bytes(std::span{&wish, 1}), rank);
        const auto receive = [&](auto& column) { ranks_.receive(std::as_writable_bytes(std::span{column}), rank); };
        receive(x), receive(v), receive(ids);
        convert_rows(x, v, ids, into);
    }
    void convert_rows(std::span<const Vec4<Real>> x, std::span<const Vec4<Real>> v, std::span<const std::uint64_t> ids,
                      Bodies& into) const {
        for (std::size_t i = 0; i < x.size(); ++i) {
            into.position_mass.push_back(convert<double>(x[i]));
            into.velocity.push_back(xyz(convert<double>(v[i])));
            if (with_ids_) into.ids.push_back(ids[i] & id_bits_);
            if (with_species_) into.species.push_back(static_cast<Species>(ids[i] >> kSpeciesShift));
        }
    }

    Ranks& ranks_;
    PartRows<Real> own_;
    std::uint64_t id_bits_;
    bool with_ids_, with_species_;
    std::vector<std::size_t> ends_;
};

}  // namespace

template <class Real>
void OwnedSystem<Real>::in_stretches(const std::function<void(const BodyStretches& all)>& use) const {
    PartRows<Real> mine = rows();
    mine.ids = tags();
    sort_by_id(ranks_, pool_, mine, id_bits());
    const std::vector<std::size_t> counts = from_all(ranks_, mine.count());
    std::uint64_t index = std::accumulate(counts.begin(), counts.begin() + ranks_.rank(), std::uint64_t{0});
    const auto is_index = [&](std::uint64_t tag) { return (tag & id_bits()) == index++; };
    const bool indices = std::ranges::all_of(mine.ids, is_index);
    const bool with_ids = std::ranges::count(from_all<std::uint8_t>(ranks_, indices ? 1 : 0), 0) > 0;
    const bool with_species = !labels_.species.empty();
    const AllRows<Real> all{ranks_, std::move(mine), id_bits(), with_ids, with_species};
    std::optional<Error> refused;
    if (!ranks_.first()) {
        all.serve();
    } else {
        try {
            use(BodyStretches{
                count(), with_ids, with_species,
                [&](std::uint64_t first, std::size_t some, Bodies& into) { all.read(first, some, into); }});
        } catch (const Error& error) {
            refused = error;
        }
        all.finish();
    }
    throw_on_all(ranks_, refused);
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
    // The samples are sorted by rank; put them into the requested order.
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
    for (const ForceSums& each : from_all(ranks_, sums()))
        moment = sum_of_vectors(moment, each.moment), mass += each.mass;
    return (1 / mass) * moment;
}

template <class Real>
double OwnedSystem<Real>::net_force() const {
    Vec3d force{0, 0, 0};
    double size = 0;
    for (const ForceSums& each : from_all(ranks_, sums())) force = sum_of_vectors(force, each.force), size += each.size;
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
    for (const ForceSums& each : from_all(ranks_, sums())) energy += 0.5 * each.potential;
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

/// The extent is that of the sample that one process takes, if ids are the indices of the scene.
template <class Real>
void OwnedSystem<Real>::fill(Frame& frame, const Coloring& coloring) const {
    if (!drawn_alone(coloring.by))
        usage_error("--ranks own draws no colours that depend on the bodies of other ranks; use --ranks all");
    fill_own(frame, coloring, labels_);
    struct Seen {
        std::uint64_t id;
        Vec4f vertex;
    };
    const std::vector<Vec4f> vertices = this->vertices(frame, sampled_);
    std::vector<Seen> own;
    for (std::size_t k = 0; k < sampled_.size(); ++k) own.push_back({labels_.ids[sampled_[k]], vertices[k]});
    std::vector<Seen> all = lists_of_all<Seen>(ranks_, own);
    std::ranges::stable_sort(all, {}, &Seen::id);
    std::vector<Vec4f> sample;
    for (const Seen& each : all) sample.push_back(each.vertex);
    frame.extent = extent_of(std::move(sample), coloring.by);
}

/// The bodies at evenly spaced indices of the scene, by their ids, or along the curve if the ids are not indices.
template <class Real>
void OwnedSystem<Real>::choose_sample() {
    const std::size_t all = count(), samples = std::min(all, kExtentSample);
    const auto choose = [&](const auto& index_of) {
        sampled_.clear();
        const auto chosen = by_blocks(pool_, own_count(), [&](std::size_t first, std::size_t last) {
            std::vector<std::uint32_t> some;
            for (std::size_t i = first; i < last; ++i) {
                const std::uint64_t index = index_of(i), left = index * samples % all;
                // A multiple of `all` in [index · samples, (index + 1) · samples): see sample_indices().
                if (index < all && (left == 0 || all - left < samples)) some.push_back(static_cast<std::uint32_t>(i));
            }
            return some;
        });
        for (const auto& some : chosen) sampled_.insert(sampled_.end(), some.begin(), some.end());
    };
    choose([this](std::size_t i) { return labels_.ids[i]; });
    const std::vector<std::size_t> found = from_all(ranks_, sampled_.size());
    if (std::accumulate(found.begin(), found.end(), std::size_t{0}) == samples) return;
    choose([&, first = first_of(ranks_.rank())](std::size_t i) { return first + i; });
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
    const bool packed = !labels.species.empty() && !labels.ids.empty();
    for (const std::uint64_t most : from_all<std::uint64_t>(ranks, packed ? std::ranges::max(labels.ids) : 0))
        if (most > kMostIdWithSpecies)
            usage_error(
                fmt::format("--ranks own keeps ids below 2^{} of bodies with species, found {}; use --ranks all",
                            kSpeciesShift, most));
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
