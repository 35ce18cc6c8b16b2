// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// A force of a kernel file on given bodies, beside that of `direct` on the same backend.
struct ForceVerdict {
    std::string engine, scene;
    std::size_t bodies = 0;
    bool own_law = false;                   ///< errors are against its own sum in double precision
    double rms_error = 0, worst_error = 0;  ///< relative; of all bodies, and of the worst one
    std::size_t worst = 0;                  ///< that body
    double seconds = 0, house_seconds = 0;  ///< of one evaluation; the fastest of several
    double tolerance = 0;                   ///< of `rms_error`

    bool pass() const { return rms_error <= tolerance; }  // false for NaN
    double pairs_per_second() const { return static_cast<double>(bodies) * static_cast<double>(bodies) / seconds; }
};
/// Computes the bodies of `scene` in single precision. Throws Error as make_body_system() does.
ForceVerdict judge_force(const KernelFile& file, const Scene& scene);

/// `check --kernel`: prints the verdict on a kernel file. Returns the exit code: 1 for a wrong map, and for a force
/// beyond its tolerance. `scene` is not opened for a map.
int check_kernel(const KernelFile& file, const std::function<Scene()>& scene, bool json);

}  // namespace orrery
