// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/selection/named_sets.hpp"

namespace orrery {

/// A request of the page Selection about its named sets.
struct SetRequest {
    enum class Kind {
        kStore,    ///< the selected bodies under a name
        kChoose,   ///< selects the bodies of a set
        kErase,    ///< the set of this name
        kCombine,  ///< selects the bodies of an expression over names
    };
    Kind kind;
    std::string text;  ///< name or expression
};

/// The page Selection. The selected bodies are HandState::picked.
struct SelectionState {
    std::optional<std::string> filter;  ///< as typed so far; empty: that of the scene
    std::size_t satisfy = 0;            ///< bodies that satisfy the filter
    std::string name, expression;       ///< as typed so far
    NamedSets sets;
    std::vector<SetRequest> requests;  ///< not yet carried out
};

}  // namespace orrery
