// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/expressions/expression.hpp"
#include "core/formats/fields.hpp"
#include "core/selection/named_sets.hpp"

namespace orrery {

class Simulation;

/// The filter of a running simulation: a condition on quantities of its bodies, which are evaluated again as the bodies
/// move. The result is the field kFilterField of the bodies.
class LiveFilter {
public:
    static constexpr double kShare = 10;  ///< uses one part in this many of the time

    /// The bodies of a filter and what they were read from.
    struct Source {
        std::filesystem::path file{};  ///< of the bodies; empty: none
        bool may_load = false;         ///< fields that the condition names are loaded from it
        bool fields_change = false;    ///< fields are interpolated in time
        NamedSets sets = {};           ///< that the condition may name
    };

    LiveFilter() = default;  ///< none: all bodies are drawn
    /// Loads the fields that the condition needs, and evaluates it. An empty condition: as LiveFilter(). Throws
    /// Error{kUsage} as Expression and load_fields() do, leaving the simulation unchanged.
    LiveFilter(Simulation& simulation, std::string condition, const Source& source);

    const std::string& condition() const noexcept { return condition_; }
    /// Evaluates the condition if the bodies have moved since. `may_reuse`: only if the share of the time allows it;
    /// bodies keep their last result meanwhile.
    void update(Simulation& simulation, bool may_reuse);
    /// Removes its field from the bodies.
    static void remove(Simulation& simulation);

private:
    using Clock = std::chrono::steady_clock;
    void evaluate(Simulation& simulation);
    void put(Simulation& simulation) const;

    std::string condition_;
    std::shared_ptr<const Expression> expression_;
    std::vector<FieldInfo> fields_;  // of the file
    NamedSets sets_;
    BodyField result_;
    bool changes_ = false;
    std::pair<std::uint64_t, double> evaluated_{};  // moment and time
    Clock::time_point next_{};
};

}  // namespace orrery
