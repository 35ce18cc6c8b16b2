// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/engines/config.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// Times of one evaluation by two engines, the fastest of several in turn.
struct RivalTimes {
    std::size_t bodies = 0;
    double seconds = 0, rival_seconds = 0;
    double ratio() const { return rival_seconds / seconds; }
    double pairs_per_second() const { return static_cast<double>(bodies) * static_cast<double>(bodies) / seconds; }
};

/// The force of a kernel file on given bodies in single precision, beside that of `direct` on the same backend.
struct ForceVerdict {
    std::string engine, scene;
    std::size_t bodies = 0;                 ///< of the scene
    std::size_t compared = 0;               ///< bodies of the comparison: all, or an evenly spaced sample
    bool own_law = false;                   ///< errors are against its own sum in double precision
    double rms_error = 0, worst_error = 0;  ///< relative; of all compared bodies, and of the worst one
    std::size_t worst = 0;                  ///< that body, by its index in the scene
    double tolerance = 0;                   ///< of `rms_error`
    std::optional<RivalTimes> times;        ///< against `direct`; empty: not measured

    bool pass() const { return rms_error <= tolerance; }  // false for NaN
};

/// Limits of the work of a verdict.
struct VerdictLimits {
    std::size_t compared = 0, timed = 0;  ///< bodies; larger scenes are thinned out evenly. 0: none
    double seconds = 1;                   ///< evaluations of both engines are repeated for about this long
    bool background = false;              ///< CPU threads run at low priority
};

/// Compares the forces of a kernel with the reference in double precision. Times are not measured. Throws Error as
/// make_body_system() does.
ForceVerdict compare_force(const KernelFile& file, const Scene& scene, const VerdictLimits& limits = {});
/// Times a kernel, which takes about a second: a force against `direct`, a thread map in `half` against the map bb.
/// Throws Error as make_body_system() does, and for a map that is not exact.
RivalTimes time_kernel(const KernelFile& file, const Scene& scene, const VerdictLimits& limits = {});
/// The same for any two engines.
RivalTimes time_engines(const EngineConfig& config, const EngineConfig& rival_config, const Scene& scene,
                        const VerdictLimits& limits = {});

}  // namespace orrery
