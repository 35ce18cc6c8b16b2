// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <variant>

#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// Evaluates due bodies for an engine that can only evaluate all bodies together: each due body walks a tree, to the
/// requested accuracy. Action and reaction then differ.
template <class Space, class Real>
class DueByTree final : public DuePower<Space, Real> {
public:
    explicit DueByTree(const EngineConfig& asked) : config_{asked} {
        config_.engine = "tree";
        config_.precision = sizeof(Real) == sizeof(float) ? Precision::kSingle : Precision::kDouble;
        config_.tree.order = config_.tree.leaf = config_.tree.group = 0;  // the best values differ
    }

    /// The tree shares evaluations of due bodies among these ranks.
    void share(Ranks& ranks) { ranks_ = &ranks; }

    /// All accelerations were recomputed, or are about to be.
    void forget() { follows_ = under_way_ = false; }

    std::uint64_t begin_due(BodyView<Space, Real> bodies, DueView<Space> due, const Gravity& gravity,
                            Potential potential, Queue<Space> queue) override {
        if (!walks_) {
            walks_ = std::get<Walks>(engine(config_.engine, config_.backend).make(config_));
            if (ranks_) walks_->share(*ranks_);
        }
        if (!follows_) walks_->history()->restore_history(bodies, gravity, 0, queue);
        follows_ = under_way_ = true;
        return walks_->due()->begin_due(bodies, due, gravity, potential, queue);
    }
    bool under_way() const { return under_way_; }
    void run(std::uint64_t first, std::uint64_t last, Queue<Space> queue) { walks_->run(first, last, queue); }

private:
    using Walks = std::unique_ptr<Engine<Space, Real>>;
    EngineConfig config_;
    Walks walks_;
    Ranks* ranks_ = nullptr;
    bool follows_ = false;    // the tree's history is that of the last whole evaluation, or of later due ones
    bool under_way_ = false;  // the evaluation begun last is one of this class
};

}  // namespace orrery
