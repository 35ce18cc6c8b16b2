// SPDX-License-Identifier: MIT
// Resolves the settings of `tree` and `fmm`: the acceptance criterion, the order of expansions, and the sizes of leaves
// and groups.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/engines/menu.hpp"

namespace orrery {

/// Default relative RMS error: far below what is visible in a frame.
inline constexpr double kDefaultAccuracy = 1e-3;

struct Accuracy {
    double error;  ///< requested relative RMS error of the forces, from which α follows
};
struct Alpha {
    double value;  ///< of the relative criterion
};
struct Theta {
    double value;  ///< of the geometric criterion
};
/// A multipole acceptance criterion; see core/physics/opening.hpp. `tree-locks` has its own, LocksOpening.
using Mac = std::variant<Accuracy, Alpha, Theta>;

/// The criterion that the configuration requests: θ, otherwise α, otherwise an accuracy; none if all are 0.
std::optional<Mac> requested_mac(const TreeConfig& config);
/// The same with the default accuracy if there is no request.
Mac mac_of(const TreeConfig& config);

/// A TreeConfig with every default resolved.
struct TreeChoice {
    Mac mac = Theta{0};   ///< Alpha or Theta
    double accuracy = 0;  ///< expected relative RMS error of the criterion, unscaled
    int order = 1, leaf = 0;
    int group = 0;  ///< 0: `fmm`, whose groups have a fixed size

    bool relative() const { return std::holds_alternative<Alpha>(mac); }
    double alpha() const { return relative() ? std::get<Alpha>(mac).value : 0; }  ///< 0: the criterion is geometric
    double theta() const { return relative() ? 0 : std::get<Theta>(mac).value; }  ///< 0: the criterion is relative
    /// For display: "relative α 0.01, monopoles, leaves of 16, groups of 64", "relative α 1e-4, order 4, leaves of 32".
    std::string text() const;
};

/// Resolves the configuration of `tree` or `fmm` for `count` bodies. `scale`: see AcceptancePower::scale_acceptance().
/// Throws Error{kUsage} for values that the backend does not offer.
TreeChoice tree_choice(const TreeConfig& config, Backend backend, std::uint64_t count, double scale = 1);
TreeChoice fmm_choice(const TreeConfig& config, Backend backend, std::uint64_t count, double scale = 1);

/// AcceptancePower::accuracy_to_keep() of a tree with this configuration.
double accuracy_to_keep(const TreeConfig& config);
/// Throws Error{kUsage} for an accuracy beyond what `fmm` can reach in the precision.
void require_fmm_accuracy(const EngineConfig& config);

/// Measured accuracy of an order of `fmm`; docs/measuring.md describes the method.
struct FmmOrder {
    int order;
    double cheapest_from;  ///< accuracy from which on it is faster than the next order
    /// Relative RMS error of the relative criterion at α = 10^−1, 10^−2, … 10^−6: the largest of six presets with 20
    /// 000 to 100 000 bodies.
    std::array<double, 6> by_alpha;
    double at_theta_one;  ///< upper bound for the geometric criterion, divided by θ^order
};
/// These errors fall with the number of bodies, as cells are filled more evenly: error ∝ N^−power between `from` and
/// `to`.
struct FmmFall {
    double from, to;  ///< bodies
    std::array<double, 6> by_alpha;
};
/// Orders of `fmm` on a backend: cpu::kFmmFit and cuda::kFmmFit.
struct FmmFit {
    std::span<const FmmOrder> orders;
    FmmFall fall;
    int leaf, good_for_most;  ///< bodies of a leaf; the order if θ or α is given
};

/// Expansion orders that `fmm` offers on the backend, ascending.
std::vector<int> fmm_orders(Backend backend);
/// The order that `fmm` chooses for this criterion, and its neighbours, the chosen one first.
std::vector<int> fmm_orders_near(const TreeConfig& config, Backend backend);
/// Expansion orders that an engine offers, ascending.
std::vector<int> expansion_orders(const EngineEntry& entry);
/// The orders that a sweep over acceptance criteria compares.
std::vector<int> swept_orders(const EngineEntry& entry);

/// The menu entry of `tree` on a backend.
EngineEntry tree_entry(Backend backend, std::string_view doc, std::uint64_t max_bodies,
                       AnyEngine (*make)(const EngineConfig&));
/// The relative RMS error that checks accept, see EngineEntry::own_tolerance: the error that the criterion was fitted
/// to, times the spread between presets, plus the rounding of the arithmetic.
double tree_tolerance(const EngineConfig& config);
double fmm_tolerance(const EngineConfig& config);

}  // namespace orrery
