// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "app/render/gl/objects.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/optics.hpp"

namespace orrery {

/// BodyMetadata::optics of the drawn bodies in GL memory. Uploaded when they, or the choice of bodies, have changed.
class OpticsBuffers {
public:
    /// Smoothing lengths, and the radius of a kernel's support over its length.
    struct Lengths {
        GLuint name = 0;  ///< 0: none are known
        float support = 0;
        bool complete = false;  ///< of all bodies
    };
    const Lengths& lengths(const SharedBuffer& bodies);

    /// Light in three bands over its mean, whose sum over the bands is 3, and absorbing areas.
    struct Light {
        GLuint name = 0;      ///< of a buffer of vec4
        float mean_dust = 0;  ///< mean of positive areas; 0: no body absorbs
    };
    /// Requires shown().
    const Light& light(const SharedBuffer& bodies);
    /// True if bodies are drawn by their light in three bands.
    static bool shown(const SharedBuffer& bodies, const ViewSettings& settings);

private:
    using Rows = std::shared_ptr<const std::vector<std::uint32_t>>;
    /// The origin of a buffer's content.
    struct Source {
        BodyOptics optics;
        Rows rows;
        friend bool operator==(const Source&, const Source&) = default;
    };
    static Source source_of(const SharedBuffer& bodies);

    GlBuffer lengths_buffer_, light_buffer_;
    Lengths lengths_;
    Light light_;
    Source lengths_of_, light_of_;
};

}  // namespace orrery
