// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/features.hpp"
#include "app/window/hand/hand_state.hpp"
#include "core/selection/named_sets.hpp"

namespace orrery {

struct Frame;
struct WindowParts;

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

/// Named sets of bodies, and what is done with the selected bodies besides editing.
class SelectionControl final : public Feature {
public:
    explicit SelectionControl(WindowParts& window) : window_{window} {}

    void update() override;
    void end_frame() override;
    static void select_filtered(WindowParts& window);
    static void invert(WindowParts& window);
    static void export_snapshot(WindowParts& window);
    static void export_ids(WindowParts& window);

private:
    void carry_out(const SetRequest& request);

    WindowParts& window_;
    std::shared_ptr<const std::vector<float>> counted_;  // values of the filter
};

}  // namespace orrery
