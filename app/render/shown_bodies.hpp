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
#include "app/render/view_settings.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// Chooses the bodies of a frame that are drawn, and those that are dimmed.
struct ShownChoice {
    std::bitset<kSpeciesCount> hidden;
    MembersShown filter = MembersShown::kAlone;   ///< BodyMetadata::shown
    MembersShown selection = MembersShown::kAll;  ///< Frame::picked
    float mass_power = 0;                         ///< a body's light is proportional to its mass to this power
    friend bool operator==(const ShownChoice&, const ShownChoice&) = default;
};

/// The bodies of a frame without hidden species and without those that a filter or the selection hides. Everything that
/// follows, such as exposure and neighbours, depends only on visible bodies. Dimmed bodies get their light as that of
/// clouds. Gathered in GL memory, wherever the frame came from. Free if nothing is hidden or dimmed.
class ShownBodies {
public:
    /// Returns `all` if nothing is hidden or dimmed, and for clouds. Valid until the next call; bodies that were
    /// gathered already are not gathered again.
    const SharedBuffer& of(const SharedBuffer& all, const ShownChoice& choice);
    /// The result of the last call of of() for these bodies.
    const SharedBuffer& last(const SharedBuffer& all) const noexcept { return some_.rows_ ? some_ : all; }
    /// Incremented when others of the same bodies are hidden than before.
    std::uint64_t changes() const noexcept { return changes_; }

private:
    void choose(const SharedBuffer& all);
    void take_properties(const SharedBuffer& all);
    void gather(const SharedBuffer& all);
    void forget();

    ShownChoice choice_;
    SharedBuffer some_;
    std::shared_ptr<const BodyMetadata> words_;                 // metadata that rows_ was made from
    std::shared_ptr<const std::vector<std::uint32_t>> picked_;  // the same
    std::shared_ptr<const std::vector<float>> masses_, radii_;  // of all bodies
    std::vector<float> light_;                                  // of the gathered bodies; empty: none is dimmed
    GlBuffer rows_;
    GlProgram gather_;          // created on demand
    std::uint64_t serial_ = 0;  // of the gathered bodies
    std::uint64_t changes_ = 0;
    std::size_t range_ = 0;  // bodies per binding
};

}  // namespace orrery
