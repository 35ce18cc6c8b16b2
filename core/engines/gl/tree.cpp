// SPDX-License-Identifier: MIT
// The Barnes–Hut engine of OpenGL: sort along the Hilbert curve, cells, moments, and one walk per group of neighbouring
// bodies.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/gl/pace.hpp"
#include "core/engines/gl/pairs.hpp"
#include "core/engines/gl/tree_build.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery {
namespace {

/// Threads of a work group of the walk, and interactions of a body by which the first dispatches are cut.
constexpr int kWalkThreads = 128;
constexpr double kInteractions = 2000;

/// Barnes & Hut with one walk per group of neighbouring bodies. begin() builds the tree; an item is the walk of a
/// group. The relative criterion compares with the accelerations of the previous evaluation, which remain in the buffer
/// of the bodies. Without these every item exists twice: a cheap walk with the geometric criterion first estimates
/// them.
template <class Real>
class GlTree final : public Engine<Gl, Real>,
                     public TreePower<Gl>,
                     public HistoryPower<Gl, Real>,
                     public AcceptancePower {
public:
    explicit GlTree(const EngineConfig& config) : config_{config} {}

    std::uint64_t begin(BodyView<Gl, Real> bodies, const Gravity& gravity, Potential potential, Queue<Gl>) override {
        return gl::Device::get().run([&] {
            bodies_ = bodies, gravity_ = gravity;
            choice_ = tree_choice(config_.tree, Backend::kGl, bodies.count, scale_);
            criterion_ = {choice_.relative(), choice_.relative() ? choice_.alpha() : choice_.theta(), choice_.order};
            const bool previous = criterion_.relative && history_.acceleration == bodies.acceleration &&
                                  history_.count == bodies.count,
                       estimate = criterion_.relative && !previous;
            const double constant = history_.constant;
            history_ = {}, whole_ = false;  // until this evaluation is complete
            times_.begun.record();
            tree_.sort(bodies, gravity.softening, constant, previous);
            times_.sorted.record();
            compile(potential, estimate);  // the variant depends on the softening in the tree's units
            if (!tree_.find_cells(choice_.leaf)) {
                tree_.sort(bodies, gravity.softening, constant, previous);
                [[maybe_unused]] const bool sorted = tree_.find_cells(choice_.leaf);
            }
            times_.built.record();
            tree_.fill_moments(estimate ? kEstimate : criterion_, choice_.order == 2);
            tree_.find_groups(choice_.group);
            tree_.fill_groups(estimate ? kEstimate : criterion_);
            times_.moments.record();
            estimates_ = estimate ? tree_.group_count() : 0;
            gl::Device::get().check("engine 'tree' on gl");
            return items();
        });
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Gl>) override {
        gl::Device::get().run([&] {
            if (first < estimates_) {
                walk(*estimate_, first, std::min(last, estimates_), 0, tree_.norms());
                if (last >= estimates_) take_estimates();
            }
            if (std::max(first, estimates_) < last)
                walk(*walk_, std::max(first, estimates_), last, estimates_, bodies_.acceleration);
            if (last == items()) {
                times_.walked.record();
                remember(bodies_, gravity_);
                whole_ = true;
            }
            gl::Device::get().check("engine 'tree' on gl");
            gl::Device::get().functions().flush();
        });
    }

    void restore_history(BodyView<Gl, Real> bodies, const Gravity& gravity, std::uint64_t, Queue<Gl>) override {
        remember(bodies, gravity);
    }
    void forget() override { history_ = {}; }

    const TreePower<Gl>* tree() const override { return this; }
    HistoryPower<Gl, Real>* history() override { return this; }
    AcceptancePower* acceptance() override { return this; }
    double accuracy_to_keep() const override { return orrery::accuracy_to_keep(config_.tree); }
    void scale_acceptance(double factor) override { scale_ = factor; }

    std::string choice() const override { return whole_ ? choice_.text() : std::string{}; }

    EngineReport report() const override {
        gl::Device::get().wait();
        if (!whole_) return {};
        const auto [with_bodies, with_cells] = tree_.interactions();
        return {.phases = {{"sort", seconds(times_.begun, times_.sorted)},
                           {"build", seconds(times_.sorted, times_.built)},
                           {"moments", seconds(times_.built, times_.moments)},
                           {"walk", seconds(times_.moments, times_.walked)}},
                .with_bodies = with_bodies,
                .with_cells = with_cells,
                .cells = tree_.cell_count(),
                .leaves = tree_.leaves(),
                .groups = tree_.group_count(),
                .levels = static_cast<int>(tree_.level_start().size()) - 1};
    }

    std::vector<TreeCell> cells(std::size_t most) const override {
        gl::Device::get().wait();
        return whole_ ? tree_.cells(most) : std::vector<TreeCell>{};
    }
    bool labels(TreeLabel label, float* out, Queue<Gl>) const override {
        if (whole_) tree_.labels(label, out);
        return whole_;
    }

private:
    /// Accelerations of the last whole evaluation, still in the buffer to which it wrote them.
    struct History {
        unsigned acceleration = 0;
        std::size_t count = 0;
        double constant = 1;
    };
    struct Times {
        gl::Timestamp begun, sorted, built, moments, walked;
    };
    static const gl::TreeCriterion kEstimate;

    static double seconds(const gl::Timestamp& from, const gl::Timestamp& to) {
        return 1e-9 * static_cast<double>(to.read() - from.read());
    }
    std::uint64_t items() const { return estimates_ + tree_.group_count(); }

    void remember(const BodyView<Gl, Real>& bodies, const Gravity& gravity) {
        // Without gravity there is nothing to compare with.
        history_ = {gravity.constant > 0 ? bodies.acceleration : 0, bodies.count, gravity.constant};
    }

    void compile(Potential potential, bool estimate) {
        const bool computes = potential == Potential::kCompute;
        gl::PairArguments<Real> pairs = gl::pair_arguments<Real>(gravity_, bodies_.count);
        pairs.softening2 = tree_.arguments().softening2;
        Gravity law = gravity_;
        if (!(pairs.softening2 > kTouching<Real>)) law.softening = 0;  // too short to separate bodies that touch
        const std::string shape = fmt::format("#define THREADS {}\n", kWalkThreads);
        const auto defines = [&](const gl::TreeCriterion& criterion, bool with_potential, bool estimates) {
            return shape + criterion.defines() + gl::pair_defines(pairs, with_potential, bodies_.low != 0) +
                   fmt::format("#define ESTIMATE {}\n", estimates ? 1 : 0);
        };
        gl::Device& device = gl::Device::get();
        const std::string variant = defines(criterion_, computes, false);
        gl::require_correct<Real>({.engine = "tree",
                                   .defines = variant,
                                   .gravity = law,
                                   .potential = computes,
                                   .split = bodies_.low != 0,
                                   .bodies = kCheckedBodies,
                                   .tolerance = tree_tolerance(checked())},
                                  [this] { return std::make_unique<GlTree>(checked()); });
        walk_ = &device.program("tree_walk.comp", variant);
        estimate_ = estimate ? &device.program("tree_walk.comp", defines(kEstimate, false, true)) : nullptr;
    }

    /// The configuration with which a variant is checked: errors are small, but expansions matter.
    EngineConfig checked() const {
        EngineConfig config = config_;
        config.tree = {.order = choice_.order, .group = choice_.group};
        if (criterion_.relative)
            config.tree.accuracy = choice_.order == 2 ? 1e-4 : 5e-4;
        else
            config.tree.theta = 0.5;
        return config;
    }

    void walk(const gl::Program& program, std::uint64_t first, std::uint64_t last, std::uint64_t from, unsigned out) {
        const double pairs = kInteractions * choice_.group;
        gl::TreeArguments<Real> arguments = tree_.arguments();
        arguments.to_scene = static_cast<Real>(gravity_.constant * tree_.acceleration_unit());
        arguments.potential = static_cast<Real>(gravity_.constant * tree_.potential_unit());
        pace_.cut(first, last, pairs, [&](std::uint64_t begin, std::uint64_t end) {
            arguments.first = static_cast<std::uint32_t>(begin - from);
            arguments.last = static_cast<std::uint32_t>(end - from);
            gl::Device::get().dispatch(program,
                                       {tree_.bodies(), tree_.cells(), tree_.shapes(), tree_.groups(), tree_.order(),
                                        out, bodies_.low != 0 ? tree_.low() : 0},
                                       arguments, end - begin, begin == from ? gl::After::kAll : gl::After::kNone);
        });
    }

    /// Replaces the criterion of the estimate by the requested one.
    void take_estimates() {
        tree_.read_mean_of_estimates();
        tree_.change_criterion(criterion_);
        tree_.fill_groups(criterion_);
    }

    static constexpr std::size_t kCheckedBodies = 1501;

    const EngineConfig config_;
    TreeChoice choice_{};
    gl::TreeCriterion criterion_;
    double scale_ = 1;  // of the acceptance criterion
    BodyView<Gl, Real> bodies_{};
    Gravity gravity_;
    gl::TreeBuild<Real> tree_;
    const gl::Program *walk_ = nullptr, *estimate_ = nullptr;
    std::uint64_t estimates_ = 0;      // items of the walk that estimates
    std::atomic<bool> whole_ = false;  // the last evaluation is complete; written on the device's thread
    History history_;
    gl::Pace pace_;
    Times times_;
};

template <class Real>
const gl::TreeCriterion GlTree<Real>::kEstimate{.relative = false, .parameter = 1, .order = 1};

AnyEngine make_gl_tree(const EngineConfig& config) {
    tree_choice(config.tree, Backend::kGl, 1);  // rejects options that do not exist
    return make_in_precision<GlTree>(config, config);
}

}  // namespace

EngineEntry gl_tree_engine() {
    EngineEntry entry = tree_entry(
        Backend::kGl,
        "Barnes–Hut octree along a Hilbert curve, rebuilt by OpenGL compute shaders in every step, on any GPU; groups "
        "of up to 64 neighbouring bodies share a walk.",
        4 << 20, make_gl_tree);
    entry.capabilities = {Capability::kTree, Capability::kAccuracy, Capability::kGroups, Capability::kMixed};
    return entry;
}

}  // namespace orrery
