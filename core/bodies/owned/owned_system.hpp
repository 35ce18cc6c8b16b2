// SPDX-License-Identifier: MIT
// Body systems of which each rank holds only its own bodies, those in its interval of the Hilbert curve.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/body_stretches.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/bodies/owned/domain_cell.hpp"
#include "core/bodies/owned/part_rows.hpp"
#include "core/engines/engine.hpp"

namespace orrery {

/// The collective part of such a system, for one precision; subclasses hold the bodies in a memory space.
///
/// An evaluation first selects, for each other rank, the bodies and cells of this rank that act on its bodies, by the
/// criterion of quadrupoles; an accepted cell acts as four point masses. Those received follow the owned bodies in
/// memory, and the engine evaluates all of them together; what it computes for the received ones is discarded. At the
/// end the mean acceleration of all bodies is subtracted from each, because ranks select independently and forces
/// between two ranks do not cancel exactly.
///
/// Bodies move to other ranks, between two evaluations, once the additional sources that were received because bodies
/// have moved in space, and the waiting of ranks with less work, have cost as much time as that takes. Work is counted
/// in interactions, so that it is the same in each run.
template <class Real>
class OwnedSystem : public EngineSystem, private PartPower {
public:
    OwnedSystem(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry, const BodySource& bodies,
                Ranks& ranks);
    ~OwnedSystem() override = default;

    std::size_t count() const final { return starts_.back(); }
    bool shared() const final { return true; }
    PartPower* part() final { return this; }
    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) final;
    void run_forces(std::uint64_t first, std::uint64_t last) final;
    /// All bodies as in_stretches() has them, on rank 0; no bodies on the others. Collective.
    Bodies bodies() const final;
    void in_stretches(const std::function<void(const BodyStretches& all)>& use) const final;
    const Bodies& labels() const final { return labels_; }
    void set_fields(std::vector<BodyField> fields) final;
    /// Accelerations of this rank's bodies.
    std::vector<Vec4d> accelerations() const final;
    std::vector<BodySample> sample(std::span<const std::uint32_t> which) const final;
    BodyState save() const final;
    void restore(const BodyState& state) final;
    void restore_history(const Gravity& gravity, std::uint64_t key) final;
    void forget_history() final;
    std::uint64_t history_key() const final;
    void scale_acceptance(double factor) final;
    bool exchange_engine(const EngineConfig&) final { return false; }
    void fill(Frame& frame, const Coloring& coloring) const final;
    ForceError force_error(const Gravity& gravity, std::size_t samples) const final;
    std::vector<Vec4d> references(const Gravity& gravity, std::span<const std::uint32_t> which) const final;
    std::vector<std::uint32_t> heavy_bodies() const final { return heavy_; }
    /// The phases of this rank's engine, between those in which ranks exchange what acts between them.
    EngineReport engine_report() const final;
    Vec3d centre_of_mass() const final;
    double net_force() const final;
    std::optional<std::size_t> first_not_finite() const final;

protected:
    /// Takes over this rank's part of all bodies and moves them to their owners; the last action of each constructor.
    void begin_with(const BodySource& bodies);

    /// Sums over this rank's bodies.
    struct ForceSums {
        Vec3d force{0, 0, 0};            ///< Σ m a
        double size = 0;                 ///< Σ |m a|
        double mass = 0, potential = 0;  ///< Σ m and Σ m φ, with φ in w of the accelerations
        Vec3d moment{0, 0, 0};           ///< Σ m x
    };

    struct Masses {
        double sum = 0, heaviest = 0;
    };
    /// Between two marks lies a phase of an evaluation; the engine computes between kExchanged and kEvaluated.
    enum class Mark { kBegun, kDescribed, kShared, kSelected, kExchanged, kEvaluated, kBalanced };
    static constexpr std::size_t kMarks = 7;

    // In the memory space of the subclass.
    virtual void mark(Mark mark) = 0;
    virtual double seconds_between(Mark from, Mark to) const = 0;  ///< waits for the second one
    virtual void make_room(std::size_t count) = 0;                 ///< for `count` own bodies, without accelerations
    /// Stores the owned bodies from `first` on.
    virtual void take(std::size_t first, std::span<const Vec4d> position_mass, std::span<const Vec3d> velocity) = 0;
    /// See redistribute(). `tags`: ids and species of the owned bodies, which move with them.
    virtual void move_to_owners(double cost, std::vector<std::uint64_t>& tags) = 0;
    virtual Masses masses() const = 0;        ///< of the owned bodies
    virtual PartRows<Real> rows() const = 0;  ///< without ids; empties nothing
    virtual void set_rows(PartRows<Real> rows) = 0;
    /// Computes the cells; returns the mean |acceleration| of the owned bodies.
    virtual double describe(const CellLevels& levels, double heavy_from) = 0;
    /// Stores the boxes of all ranks: those of this rank's cells of one level, and of the others, which end at
    /// ends[rank].
    virtual void share_boxes(int level, double mean_acceleration, std::span<const std::size_t> ends) = 0;
    /// Selects the sources that act on each other rank; returns their numbers by rank.
    virtual std::vector<std::uint64_t> select(std::span<const std::size_t> ends, const PointRule& rule) = 0;
    /// Exchanges the selected sources, given their numbers by sender and receiver, and stores those received after the
    /// own bodies.
    virtual void exchange_sources(std::span<const std::uint64_t> numbers) = 0;
    virtual std::uint64_t begin_engine(const Gravity& gravity, Potential potential) = 0;
    virtual void run_engine(std::uint64_t first, std::uint64_t last) = 0;
    virtual void restore_engine(const Gravity& gravity, std::uint64_t key) = 0;
    virtual std::size_t evaluated() const = 0;  ///< own bodies and sources in the last evaluation
    virtual ForceSums sums() const = 0;
    /// Subtracts the mean acceleration of all bodies, whose mass is `mass`, from that of each. Collective.
    virtual void balance(double mass) = 0;
    virtual std::vector<BodySample> own_samples(std::span<const std::uint32_t> which) const = 0;
    /// Forces of the owned bodies on some positions, in double; `own[k]` is the index of the owned body there, or no
    /// index.
    virtual std::vector<Vec4d> own_references(const Gravity& gravity, std::span<const Vec4d> at,
                                              std::span<const std::optional<std::uint32_t>> own) const = 0;
    virtual std::optional<std::uint32_t> first_own_not_finite() const = 0;
    /// BodySystem::fill() of the owned bodies.
    virtual void fill_own(Frame& frame, const Coloring& coloring, const Bodies& labels) const = 0;
    /// The vertices of some own bodies of a frame.
    virtual std::vector<Vec4f> vertices(const Frame& frame, std::span<const std::uint32_t> which) const = 0;

    /// After another engine has replaced this one.
    void scale_engine() { EngineSystem::scale_acceptance(scale_); }

    Ranks& ranks() const final { return ranks_; }
    const EngineConfig& config() const { return config_; }
    Pool& pool() const { return pool_; }

private:
    struct RankSize {
        std::uint64_t bodies;
        double mass, heaviest;
    };
    /// Evaluations since bodies moved to other ranks last; restored with the history. Sources are in 4096ths of the
    /// number of all bodies.
    struct Age {
        std::uint64_t evaluations = 0;  ///< at most 2
        std::uint64_t sources = 0;      ///< received by all ranks in the second of them
        /// Sum of those received beyond that in later ones, and of the time in which ranks wait for the slowest.
        std::uint64_t excess = 0;
        std::uint64_t cost = 0;  ///< of an own body, see code_of(); 0: not yet counted
    };

    std::size_t own_count() const final { return labels_.ids.size(); }
    Bodies own_bodies() const final;
    double potential_energy(const Gravity& gravity) final;
    void grow_older(std::uint64_t sources, double waiting);
    void count_cost();
    double waiting(std::span<const double> costs) const;
    void set_labels(std::vector<std::uint64_t> tags);
    /// The bits of a tag that are the id.
    std::uint64_t id_bits() const;
    std::vector<std::uint64_t> tags() const;
    std::uint64_t begin_evaluation(const Gravity& gravity, Potential potential);
    void redistribute() final;
    void adopt();
    void choose_sample();
    PointRule rule(const Gravity& gravity, bool compare) const;
    std::size_t first_of(int rank) const { return rank == 0 ? 0 : starts_[static_cast<std::size_t>(rank) - 1]; }
    std::optional<std::uint32_t> own_index(std::size_t of_all) const;

    Ranks& ranks_;
    EngineConfig config_;
    mutable Pool pool_;
    Bodies labels_;                       // ids and species of the owned bodies
    std::vector<std::size_t> starts_;     // ends of the ranks' bodies among all
    std::vector<std::uint32_t> heavy_;    // among all
    std::vector<std::uint32_t> sampled_;  // own bodies in the sample from which the extent of a frame follows
    double mass_ = 0, heavy_from_ = 0;
    std::optional<Gravity> evaluated_;  // the accelerations are those of a complete evaluation under it
    Gravity gravity_;                   // of the evaluation under way
    double scale_ = 1;                  // of the acceptance criterion
    std::uint64_t items_ = 0;
    Age age_;
};

/// See make_body_system() with Ranks::own_bodies. Throws Error{kUsage} for engines other than `tree` and `fmm`, mixed
/// precision, compensated sums, bodies with names, charges or pins, and fewer than kLeastOwned bodies of a rank.
std::unique_ptr<BodySystem> make_owned_system(const EngineConfig& config, const BodySource& bodies, Ranks& ranks);
inline constexpr std::size_t kLeastOwned = 64;

// One function per memory space; make_owned_system() chooses.
std::unique_ptr<BodySystem> make_owned_host_system(AnyEngine engine, const EngineConfig& config,
                                                   const EngineEntry& entry, const BodySource& bodies, Ranks& ranks);
std::unique_ptr<BodySystem> make_owned_device_system(AnyEngine engine, const EngineConfig& config,
                                                     const EngineEntry& entry, const BodySource& bodies, Ranks& ranks);

extern template class OwnedSystem<float>;
extern template class OwnedSystem<double>;

}  // namespace orrery
