// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/engines/config.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// The force of a kernel file on given bodies in single precision, beside that of `direct` on the same backend.
struct ForceVerdict {
    std::string engine, scene;
    std::size_t bodies = 0;                 ///< of the scene
    std::size_t compared = 0;               ///< bodies of the comparison: all, or an evenly spaced sample
    std::size_t timed = 0;                  ///< bodies of an evaluation whose time is measured
    bool own_law = false;                   ///< errors are against its own sum in double precision
    double rms_error = 0, worst_error = 0;  ///< relative; of all compared bodies, and of the worst one
    std::size_t worst = 0;                  ///< that body, by its index in the scene
    double tolerance = 0;                   ///< of `rms_error`
    double seconds = 0, house_seconds = 0;  ///< of one evaluation, also of `direct`; 0: not measured yet

    bool pass() const { return rms_error <= tolerance; }  // false for NaN
    double pairs_per_second() const { return static_cast<double>(timed) * static_cast<double>(timed) / seconds; }
    double share_of_direct() const { return house_seconds / seconds; }
};

/// Limits of the work of a verdict, in bodies; larger scenes are thinned out evenly. 0: none.
struct VerdictLimits {
    std::size_t compared = 0, timed = 0;
    bool background = false;  ///< CPU threads run at low priority
};

/// Compares the forces of a kernel with the reference in double precision. Times are not measured. Throws Error as
/// make_body_system() does.
ForceVerdict compare_force(const KernelFile& file, const Scene& scene, const VerdictLimits& limits = {});
/// Measures the times of the kernel and of `direct`, in turn, which takes about a second.
void time_force(const KernelFile& file, const Scene& scene, const VerdictLimits& limits, ForceVerdict& verdict);

}  // namespace orrery
