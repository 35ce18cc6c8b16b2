// SPDX-License-Identifier: MIT
#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/shared_buffer.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// The bodies of a frame without those of hidden species and those that a filter hides. Everything that follows, such
/// as exposure and neighbours, depends only on visible bodies. Gathered in GL memory, wherever the frame came from.
/// Free if nothing is hidden.
class ShownBodies {
public:
    /// Returns `all` if no body has a hidden species and there is no filter, and for clouds and scenes without species.
    /// Valid until the next call; bodies that were gathered already are not gathered again.
    const SharedBuffer& of(const SharedBuffer& all, std::bitset<kSpeciesCount> hidden);
    /// The result of the last call of of() for these bodies.
    const SharedBuffer& last(const SharedBuffer& all) const noexcept { return some_.rows_ ? some_ : all; }
    std::bitset<kSpeciesCount> hidden() const noexcept { return hidden_; }  ///< in the last of(), if such bodies occur

private:
    void choose(const SharedBuffer& all);
    void take_properties(const SharedBuffer& all);
    void gather(const SharedBuffer& all);

    std::bitset<kSpeciesCount> hidden_;
    SharedBuffer some_;
    std::shared_ptr<const BodyMetadata> words_;                 // metadata that rows_ was made from
    std::shared_ptr<const std::vector<float>> masses_, radii_;  // of all bodies
    GlBuffer rows_;
    GlProgram gather_;          // created on demand
    std::uint64_t serial_ = 0;  // of the gathered bodies
    std::size_t range_ = 0;     // bodies per binding
};

}  // namespace orrery
