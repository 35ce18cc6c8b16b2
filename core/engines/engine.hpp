// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/engines/any_engine.hpp"
#include "core/engines/report.hpp"
#include "core/engines/views.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/potential.hpp"

namespace orrery {

class Ranks;

/// Of engines that compute jerks too, which integrators of Hermite's kind need.
template <class Space, class Real>
class JerkPower {
public:
    /// Like Engine::begin(), of acceleration with potential, and jerk, of some bodies under the force of all.
    virtual std::uint64_t begin_with_jerk(BodyView<Space, Real> bodies, JerkView<Space, Real> motion,
                                          const Gravity& gravity, Queue<Space> queue) = 0;

protected:
    ~JerkPower() = default;
};

/// Of engines that evaluate some bodies under the force of all, which block steps need.
template <class Space, class Real>
class DuePower {
public:
    /// Like Engine::begin(), of those bodies alone: the accelerations of others stay as they are. After a whole
    /// evaluation, under the same gravity, of as many bodies in the same memory; the bits depend on that one and on
    /// those of its kind since then.
    virtual std::uint64_t begin_due(BodyView<Space, Real> bodies, DueView<Space> due, const Gravity& gravity,
                                    Potential potential, Queue<Space> queue) = 0;

protected:
    ~DuePower() = default;
};

/// Of engines with a tree, as the last whole evaluation left it. When nothing is under way.
template <class Space>
class TreePower {
public:
    /// Cells from the root downward, whole levels, as many levels as `most` cells hold.
    virtual std::vector<TreeCell> cells(std::size_t most) const = 0;
    /// Writes the label of each body, in the order of bodies; a device engine enqueues. False, and nothing is written:
    /// there is no tree yet.
    virtual bool labels(TreeLabel label, float* out, Queue<Space> queue) const = 0;

protected:
    ~TreePower() = default;
};

/// Of engines whose next evaluation depends on the one before. When nothing is under way.
template <class Space, class Real>
class HistoryPower {
public:
    /// The accelerations that `bodies` holds are of an evaluation that such an engine made under `gravity`: its history
    /// is obtained from them, and from what its history_key() was, so that the next evaluation gives the same bits as
    /// if that one had been its own.
    virtual void restore_history(BodyView<Space, Real> bodies, const Gravity& gravity, std::uint64_t key,
                                 Queue<Space> queue) = 0;
    /// What the bits of the next evaluation depend on besides bodies and accelerations; 0: nothing.
    virtual std::uint64_t history_key() const { return 0; }

protected:
    ~HistoryPower() = default;
};

/// Of engines that approximate as well as TreeConfig::accuracy asks, as far as is known beforehand. Who measures the
/// error can have it right. When nothing is under way.
class AcceptancePower {
public:
    /// The relative RMS error that is to be kept; 0: none, because nobody asked for that, or because the engine in use
    /// does not approximate.
    virtual double accuracy_to_keep() const = 0;
    /// From the next begin() on, the criterion is what it would be for `factor` times the accuracy asked for. The order
    /// of expansions stays. The bits depend on the factor alone; 1: as if nobody had called.
    virtual void scale_acceptance(double factor) = 0;

protected:
    ~AcceptancePower() = default;
};

/// Turns positions and masses into accelerations. That is all an engine must do; what some can do besides is a power of
/// theirs, null where an engine lacks it.
///
/// One evaluation is a linear range of work items, so that a caller can stop between any two of them: begin(), then
/// run() over consecutive intervals of [0, items). Abandoning an evaluation needs no call. The result does not depend
/// on how the range was cut, nor on the number of threads: same bits.
template <class Space, class Real>
class Engine {
public:
    virtual ~Engine() = default;
    /// Prepares an evaluation of `bodies`, which must stay where they are until its end. Returns the number of items.
    virtual std::uint64_t begin(BodyView<Space, Real> bodies, const Gravity& gravity, Potential potential,
                                Queue<Space> queue) = 0;
    /// Works on items [first, last). After the last item every acceleration is written. A device engine only enqueues:
    /// the caller waits for it.
    virtual void run(std::uint64_t first, std::uint64_t last, Queue<Space> queue) = 0;
    /// After a whole evaluation: another one of as many bodies in the same memory, under the same gravity and
    /// potential, enqueues the same work with the same arguments and does nothing else, so that it may be recorded once
    /// and played without begin() and run(). Not where the host must learn something of it on the way.
    virtual bool replays() const { return false; }
    /// From the next begin() on, evaluations are shared with other ranks: begin() and run() are of this rank's part,
    /// and the last item waits until every rank has every acceleration. All ranks begin and complete the same
    /// evaluations of the same bodies, and abandon one only if all do, before their last item. The bits are those of
    /// one rank. False: the engine does not share, and each rank computes everything.
    virtual bool share(Ranks&) { return false; }
    /// What the engine chose by itself for this N, for users: "p=256 u=4 q=1 k=4, 12 column splits". May be empty.
    virtual std::string choice() const { return {}; }
    /// Of the last whole evaluation, when nothing is under way. A device engine waits for its own events.
    virtual EngineReport report() const { return {}; }

    virtual JerkPower<Space, Real>* jerks() { return nullptr; }
    virtual DuePower<Space, Real>* due() { return nullptr; }
    virtual const TreePower<Space>* tree() const { return nullptr; }
    virtual HistoryPower<Space, Real>* history() { return nullptr; }
    virtual AcceptancePower* acceptance() { return nullptr; }
};

/// Of an engine whose menu entry says that it computes jerks; throws std::logic_error of others.
template <class Space, class Real>
JerkPower<Space, Real>& with_jerks(Engine<Space, Real>& engine) {
    if (auto* jerks = engine.jerks()) return *jerks;
    throw std::logic_error{"this engine gives no jerk"};
}

/// Runs one whole evaluation on the host.
template <class Real>
void accelerate(Engine<Host, Real>& engine, BodyView<Host, Real> bodies, const Gravity& gravity,
                Potential potential = Potential::kSkip) {
    const std::uint64_t items = engine.begin(bodies, gravity, potential, {});
    engine.run(0, items, {});
}

}  // namespace orrery
