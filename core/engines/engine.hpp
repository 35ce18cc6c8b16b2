// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/engines/report.hpp"
#include "core/engines/views.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

class Ranks;

/// Interface of engines that also compute jerks, which Hermite integrators need.
template <class Space, class Real>
class JerkPower {
public:
    /// Like Engine::begin(), but of some bodies under the force of all: acceleration with potential, and jerk.
    virtual std::uint64_t begin_with_jerk(BodyView<Space, Real> bodies, JerkView<Space, Real> motion,
                                          const Gravity& gravity, Queue<Space> queue) = 0;

protected:
    ~JerkPower() = default;
};

/// Interface of engines that can evaluate a subset of the bodies under the force of all, which block steps need.
template <class Space, class Real>
class DuePower {
public:
    /// Like Engine::begin(), but only for the due bodies; other accelerations are unchanged. Must follow a whole
    /// evaluation under the same gravity of the same number of bodies in the same memory. The result depends bitwise on
    /// that evaluation and on the due evaluations since.
    virtual std::uint64_t begin_due(BodyView<Space, Real> bodies, DueView<Space> due, const Gravity& gravity,
                                    Potential potential, Queue<Space> queue) = 0;

protected:
    ~DuePower() = default;
};

/// Interface of engines with a tree: the tree of the last whole evaluation. Call only between evaluations.
template <class Space>
class TreePower {
public:
    /// Cells from the root downward, in whole levels: as many levels as fit into `most` cells.
    virtual std::vector<TreeCell> cells(std::size_t most) const = 0;
    /// Writes the label of each body, in the order of bodies; a device engine enqueues. Returns false and writes
    /// nothing if there is no tree yet.
    virtual bool labels(TreeLabel label, float* out, Queue<Space> queue) const = 0;

protected:
    ~TreePower() = default;
};

/// Interface of engines whose next evaluation depends on the previous one. Call only between evaluations.
template <class Space, class Real>
class HistoryPower {
public:
    /// Restores the history from an earlier run: `bodies` holds the accelerations that such an engine computed under
    /// `gravity`, and `key` is what history_key() returned then. The next evaluation gives the same bits as if that one
    /// had been its own.
    virtual void restore_history(BodyView<Space, Real> bodies, const Gravity& gravity, std::uint64_t key,
                                 Queue<Space> queue) = 0;
    /// Clears the history: the next evaluation equals the first one of a new engine. Keeps memory.
    virtual void forget() = 0;
    /// Further state that determines the bits of the next evaluation, besides bodies and accelerations; 0: none.
    virtual std::uint64_t history_key() const { return 0; }

protected:
    ~HistoryPower() = default;
};

/// Interface of engines that approximate to TreeConfig::accuracy by an a-priori estimate. A caller that measures the
/// actual error can correct the estimate. Call only between evaluations.
class AcceptancePower {
public:
    /// Relative RMS error to be maintained; 0: none, because it was not requested or the engine in use does not
    /// approximate.
    virtual double accuracy_to_keep() const = 0;
    /// From the next begin() on, the criterion is that of `factor` times the requested accuracy; the order of
    /// expansions does not change. The result depends only on `factor`; 1 restores the unscaled criterion.
    virtual void scale_acceptance(double factor) = 0;

protected:
    ~AcceptancePower() = default;
};

/// Turns positions and masses into accelerations. Optional capabilities are the Power interfaces below; an engine
/// returns null for those it lacks.
///
/// One evaluation is a linear range of work items, so that a caller can stop between any two of them: begin(), then
/// run() over consecutive intervals of [0, items). An evaluation can be abandoned without a call. The result is bitwise
/// independent of how the range was cut and of the number of threads.
template <class Space, class Real>
class Engine {
public:
    virtual ~Engine() = default;
    /// Prepares an evaluation of `bodies`, which must not move in memory until it ends. Returns the number of items.
    virtual std::uint64_t begin(BodyView<Space, Real> bodies, const Gravity& gravity, Potential potential,
                                Queue<Space> queue) = 0;
    /// Works on items [first, last). All accelerations are written after the last item. A device engine only enqueues:
    /// the caller must wait.
    virtual void run(std::uint64_t first, std::uint64_t last, Queue<Space> queue) = 0;
    /// Call after a whole evaluation. True if another one of as many bodies in the same memory, under the same gravity
    /// and potential, would enqueue exactly the same work with the same arguments, so that it can be recorded once and
    /// replayed without begin() and run(). False if the host must read back anything in between.
    virtual bool replays() const { return false; }
    /// From the next begin() on, shares evaluations among ranks: begin() and run() cover this rank's part, and the last
    /// item waits until every rank has every acceleration. All ranks must begin and complete the same evaluations of
    /// the same bodies, and abandon one only together, before their last item. The bits are those of one rank. Returns
    /// false if the engine cannot share; then each rank computes everything.
    virtual bool share(Ranks&) { return false; }
    /// The parameters that the engine chose for this N, for display: "p=256 u=4 q=1 k=4, 12 column splits". May be
    /// empty.
    virtual std::string choice() const { return {}; }
    /// Report of the last whole evaluation; call only between evaluations. A device engine waits for its own events.
    virtual EngineReport report() const { return {}; }

    virtual JerkPower<Space, Real>* jerks() { return nullptr; }
    virtual DuePower<Space, Real>* due() { return nullptr; }
    virtual const TreePower<Space>* tree() const { return nullptr; }
    virtual HistoryPower<Space, Real>* history() { return nullptr; }
    virtual AcceptancePower* acceptance() { return nullptr; }
};

/// The jerk interface of an engine whose menu entry has `jerk`; throws std::logic_error if there is none.
template <class Space, class Real>
JerkPower<Space, Real>& require_jerks(Engine<Space, Real>& engine) {
    if (auto* jerks = engine.jerks()) return *jerks;
    throw std::logic_error{"this engine does not compute jerks"};
}

/// Runs one whole evaluation on the host.
template <class Real>
void accelerate(Engine<Host, Real>& engine, BodyView<Host, Real> bodies, const Gravity& gravity,
                Potential potential = Potential::kSkip) {
    const std::uint64_t items = engine.begin(bodies, gravity, potential, {});
    engine.run(0, items, {});
}

}  // namespace orrery
