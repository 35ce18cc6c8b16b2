// SPDX-License-Identifier: MIT
#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/render/gl/buffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/shared_buffer.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// The bodies of a frame without those of hidden species, as if there were no others: all that follows, such as
/// exposure and neighbours, goes by what is seen. Gathered in GL memory, wherever the frame came from. Costs nothing
/// where nothing is hidden.
class ShownBodies {
public:
    /// `all` itself where no body is of a hidden species, and of clouds and scenes that do not state species. Stays
    /// valid until the next call; what is gathered already is not gathered again.
    const SharedBuffer& of(const SharedBuffer& all, std::bitset<kSpeciesCount> hidden);
    /// What the last of() of these bodies returned.
    const SharedBuffer& last(const SharedBuffer& all) const noexcept { return hidden_.any() ? some_ : all; }
    std::bitset<kSpeciesCount> hidden() const noexcept { return hidden_; }  ///< in the last of(), and occurring

private:
    void choose(const SharedBuffer& all);
    void take_properties(const SharedBuffer& all);
    void gather(const SharedBuffer& all);

    std::bitset<kSpeciesCount> hidden_;
    SharedBuffer some_;
    std::shared_ptr<const SceneWords> words_;                   // whose species the rows go by
    std::shared_ptr<const std::vector<float>> masses_, radii_;  // of all bodies
    GlBuffer rows_;
    GlProgram gather_;          // made when it is first needed
    std::uint64_t serial_ = 0;  // of the bodies that are gathered
    std::size_t range_ = 0;     // bodies in one binding
};

}  // namespace orrery
