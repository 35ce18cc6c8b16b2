// SPDX-License-Identifier: MIT
// The thesis' Barnes–Hut program on host threads: five of its kernels. The sixth, which moves the bodies, is replaced
// by the integrator.
#include "core/engines/entries.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "core/base/pool.hpp"
#include "core/engines/cpu/tree_locks/host_tree.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/locks_choice.hpp"
#include "core/engines/mixed.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t kLocksWarp = 32;  // bodies that share a walk, as on a device

/// begin() runs the first four kernels; an item is the walk of kLocksWarp neighbours.
template <class Real>
class TreeLocksOnHost final : public Engine<Host, Real>, public TreePower<Host> {
public:
    TreeLocksOnHost(const EngineConfig& config, const cuda::LocksOpening& opening)
        : pool_{config.threads, config.background}, opening_{opening} {}

    std::uint64_t begin(BodyView<Host, Real> bodies, const Gravity& gravity, Potential, Queue<Host>) override {
        bodies_ = bodies, gravity_ = gravity;
        with_bodies_ = with_cells_ = 0, walk_seconds_ = 0, whole_ = false;
        cuda::require_links(bodies.count, cuda::first_room(bodies.count));
        const auto threads = static_cast<unsigned>(pool_.threads());
        tree_.build(bodies, gravity.softening, opening_, threads, cuda::first_room(bodies.count),
                    [&](const auto& work) {
                        pool_.parallel_for(0, threads, [&](std::uint64_t t) { work(static_cast<unsigned>(t)); });
                    });
        return (bodies.count + kLocksWarp - 1) / kLocksWarp;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host>) override {
        const auto start = std::chrono::steady_clock::now();
        pool_.parallel_for(first, last, [&](std::uint64_t item) { walk(static_cast<std::uint32_t>(item)); });
        walk_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        whole_ = last * kLocksWarp >= bodies_.count;
    }

    std::string choice() const override { return cuda::describe_locks(opening_); }

    EngineReport report() const override {
        if (!whole_) return {};
        const auto& tree = tree_.tree();
        std::uint64_t leaves = 0;
        int levels = 0;
        for (std::uint32_t cell = 0; cell < cells(); ++cell) {
            leaves += is_leaf(cell);
            levels = std::max(levels, tree.level[cell] + 1);
        }
        EngineReport report{.phases = tree_.phases(),
                            .with_bodies = per_body(with_bodies_),
                            .with_cells = per_body(with_cells_),
                            .cells = cells(),
                            .leaves = leaves,
                            .groups = (bodies_.count + kLocksWarp - 1) / kLocksWarp,
                            .levels = levels};
        report.phases.push_back({"walk", walk_seconds_});
        return report;
    }

    const TreePower<Host>* tree() const override { return this; }

    std::vector<TreeCell> cells(std::size_t most) const override {
        std::vector<TreeCell> all;
        if (!whole_) return all;
        std::vector<std::size_t> of_level(cuda::kBagLevel + 1);
        for (std::uint32_t cell = 0; cell < cells(); ++cell) ++of_level[tree_.tree().level[cell]];
        int levels = 0;
        std::size_t count = 0;
        while (levels <= cuda::kBagLevel && count + of_level[static_cast<std::size_t>(levels)] <= most)
            count += of_level[static_cast<std::size_t>(levels++)];
        for (std::uint32_t cell = 0; cell < cells(); ++cell)
            if (tree_.tree().level[cell] < levels) all.push_back(picture(cell));
        std::ranges::stable_sort(all, {}, &TreeCell::level);
        return all;
    }

    /// A leaf is labelled with the least index of its bodies, because the index of the cell itself depends on timing.
    bool labels(TreeLabel label, float* out, Queue<Host>) const override {
        if (!whole_) return false;
        const auto& tree = tree_.tree();
        for (std::uint32_t cell = 0; cell < cells(); ++cell) {
            const std::vector<std::uint32_t> here = bodies_of(cell);
            if (here.empty()) continue;
            const auto number = static_cast<float>(label == TreeLabel::kLeaf ? *std::ranges::min_element(here)
                                                                             : std::uint32_t{tree.level[cell]});
            for (const std::uint32_t body : here) out[body] = number;
        }
        return true;
    }

private:
    double per_body(std::uint64_t of_all) const {
        return static_cast<double>(of_all) / static_cast<double>(bodies_.count);
    }

    void walk(std::uint32_t item) {
        const std::uint32_t begin = item * kLocksWarp,
                            end = std::min(begin + kLocksWarp, static_cast<std::uint32_t>(bodies_.count));
        const double G = gravity_.constant;
        const auto met = tree_.walk(begin, end, [&](std::uint32_t i, const Vec4d& a) {
            bodies_.acceleration[i] = convert<Real>(Vec4d{G * a.x, G * a.y, G * a.z, G * a.w});
        });
        with_bodies_ += met.with_bodies * (end - begin), with_cells_ += met.with_cells * (end - begin);
    }

    std::uint32_t cells() const { return tree_.counts().cells; }
    /// The bodies that are direct children of this cell.
    std::vector<std::uint32_t> bodies_of(std::uint32_t cell) const {
        const auto& tree = tree_.tree();
        std::vector<std::uint32_t> here;
        if (tree.level[cell] == cuda::kBagLevel) {
            for (std::int32_t k = tree.child(cell, 0); k < tree.child(cell, 1); ++k)
                here.push_back(cuda::body_of_entry(tree.bagged[k]));
            return here;
        }
        for (unsigned octant = 0; octant < 8; ++octant)
            if (const std::int32_t link = tree.child(cell, octant); link != cuda::kEmpty && !tree.is_cell(link))
                here.push_back(static_cast<std::uint32_t>(link));
        return here;
    }
    bool is_leaf(std::uint32_t cell) const {
        const auto& tree = tree_.tree();
        if (tree.level[cell] == cuda::kBagLevel) return true;
        for (unsigned octant = 0; octant < 8; ++octant)
            if (tree.is_cell(tree.child(cell, octant))) return false;
        return true;
    }
    TreeCell picture(std::uint32_t cell) const {
        const auto& tree = tree_.tree();
        const auto& units = tree_.units();
        const int level = tree.level[cell];
        const GridPoint corner = cuda::corner_of(units.place(tree.bodies[tree.witness[cell]]), level);
        const double finest = units.side / kKeyCells, side = units.side / std::ldexp(1.0, level);
        const auto at = [&](double more) {
            return Vec3f{static_cast<float>(units.low.x + finest * corner.x + more),
                         static_cast<float>(units.low.y + finest * corner.y + more),
                         static_cast<float>(units.low.z + finest * corner.z + more)};
        };
        return {at(0), at(side), level, tree.bodies_in[cell], is_leaf(cell)};
    }

    Pool pool_;
    const cuda::LocksOpening opening_;
    BodyView<Host, Real> bodies_{};
    Gravity gravity_;
    cuda::HostTree<Real> tree_;
    std::atomic<std::uint64_t> with_bodies_ = 0, with_cells_ = 0;  // over all bodies
    double walk_seconds_ = 0;
    bool whole_ = false;
};

}  // namespace

EngineEntry tree_locks_engine() {
    EngineEntry entry = tree_locks_entry(Backend::kCpu);
    entry.make = [](const EngineConfig& config) {
        return make_in_precision<TreeLocksOnHost>(config, config, cuda::locks_opening(config.tree));
    };
    return entry;
}

}  // namespace orrery
