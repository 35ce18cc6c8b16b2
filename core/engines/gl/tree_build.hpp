// SPDX-License-Identifier: MIT
// The tree of all bodies in OpenGL buffers: sort, cells, moments and groups. Call within Device::run().
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/engines/engine.hpp"
#include "core/engines/gl/pace.hpp"
#include "core/gl/device.hpp"
#include "core/spatial/keys.hpp"

namespace orrery::gl {

/// The uniform block of core/gl/shaders/tree.glsl.
template <class Real>
struct TreeArguments {
    std::uint32_t count = 0, first = 0, last = 0, leaf = 0;
    std::uint32_t most = 0, digit = 0, blocks = 0, first_group = 0;
    Real low_x{}, low_y{}, low_z{}, cells_per_length{};
    Real per_length = 1, per_mass = 1, softening2{}, blur{};
    Real parameter{}, norm_unit{}, mean_norm{}, heavy{};
    Real to_scene{}, potential{}, unused_real[2]{};
};

/// A record of Groups in core/gl/shaders/tree.glsl.
template <class Real>
struct alignas(4 * sizeof(Real)) TreeGroup {
    Vec4<Real> middle, extent;
    std::uint32_t first, count, with_bodies, with_cells;
};

/// An acceptance criterion of core/physics/opening.hpp.
struct TreeCriterion {
    bool relative = false;
    double parameter = 1;  ///< θ or α
    int order = 1;

    std::string defines() const;
};

template <class Real>
class TreeBuild {
public:
    /// Sorts the bodies along the curve and finds their cells. Reads the box of the bodies and the number of cells
    /// back, so it waits twice. `norms`: also |acceleration|, computed under G.
    void sort(const BodyView<Gl, Real>& bodies, double softening, double G, bool norms);
    /// False if the bodies must be sorted again, because many of them are close to each other.
    [[nodiscard]] bool find_cells(int leaf);
    /// Computes moments from the leaves upward; `quadrupoles`: also those.
    void fill_moments(const TreeCriterion& criterion, bool quadrupoles);
    /// Thresholds of another criterion.
    void change_criterion(const TreeCriterion& criterion);
    /// Cuts groups of at most `most` bodies; waits for their number.
    void find_groups(int most);
    /// Boxes and reference accelerations of the groups.
    void fill_groups(const TreeCriterion& criterion);
    /// Takes the norms that a walk has estimated.
    void read_mean_of_estimates();

    const TreeArguments<Real>& arguments() const { return arguments_; }
    double acceleration_unit() const { return units_.acceleration; }  ///< of the tree, in units of the scene, without G
    double potential_unit() const { return units_.potential; }
    std::uint32_t group_count() const { return group_count_; }
    std::uint32_t cell_count() const { return level_start_.empty() ? 0 : level_start_.back(); }
    /// First cells of the levels, and the number of all cells.
    const std::vector<std::uint32_t>& level_start() const { return level_start_; }
    std::vector<TreeCell> cells(std::size_t most) const;
    void labels(TreeLabel label, float* out) const;
    /// Mean numbers of interactions of a body with bodies and with cells.
    std::pair<double, double> interactions() const;
    std::uint64_t leaves() const;

    unsigned bodies() const { return bodies_.name(); }
    unsigned low() const { return low_.name(); }
    unsigned order() const { return order_[0].name(); }
    unsigned norms() const { return norms_.name(); }
    unsigned cells() const { return cells_.name(); }
    unsigned shapes() const { return shapes_.name(); }
    unsigned groups() const { return groups_.records.name(); }

private:
    struct Units {
        double acceleration = 1, potential = 1;
        Vec3<Real> low{};
        Real side{};
    };
    /// Begins or ends of cells: a body, and a child or a body with a bit for leaves.
    struct Border {
        std::uint32_t body, part;
    };

    void find_units(const BodyView<Gl, Real>& bodies, double softening, double G, bool norms);
    void sort_keys();
    void scan(const Buffer& from, std::uint64_t count, const Buffer& to);
    std::vector<Border> borders(const Buffer& from, std::size_t count) const;

    TreeArguments<Real> arguments_;
    Units units_;
    std::array<Buffer, 2> keys_, order_;
    Buffer counts_, offsets_, scan_sums_;  // of the sort and of the cells
    Buffer bodies_, low_, norms_;          // in the order of the tree
    Buffer levels_, begins_, ends_;        // of cells: see tree_levels.comp and tree_cells.comp
    Buffer cells_, shapes_;                // tree_data.glsl
    struct {
        Buffer marks, places, starts, records;
    } groups_;
    Buffer parts_;            // read by the host
    Buffer long_run_;         // of tree_sort_runs.comp
    bool long_runs_ = false;  // it has occurred: sort by all bits
    std::vector<std::uint32_t> level_start_;
    std::uint32_t group_count_ = 0;
    PacedDispatches dispatches_;
};

extern template class TreeBuild<float>;
extern template class TreeBuild<double>;

}  // namespace orrery::gl
