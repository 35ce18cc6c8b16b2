// SPDX-License-Identifier: MIT
// Numbers from Python and back: input arrays of any layout, output views without a copy.
#pragma once
#include <pybind11/numpy.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/backend.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/body_system.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// Rows of three real numbers, from anything that NumPy converts to an array of shape (N, 3), in any layout. Throws
/// TypeError for numbers that are not real, UsageError for another shape or an N other than `count`; `what` names the
/// argument.
std::vector<Vec3d> rows_of(const py::handle& given, const char* what, std::optional<std::size_t> count = {});
/// The same for shape (N,).
std::vector<double> numbers_of(const py::handle& given, const char* what, std::size_t count);
/// The same, or one number for all.
std::vector<double> numbers_or_one(const py::handle& given, const char* what, std::size_t count);
/// Whole numbers from 0 to 2⁶⁴ − 1.
std::vector<std::uint64_t> ids_of(const py::handle& given, const char* what, std::size_t count);

/// The numbers of a row of four that a view contains.
enum class Part { kXyz, kW };

/// A view of `count` rows of four numbers in memory owned by `owner`: of shape (N, 3) or (N,).
py::array view_of(const void* rows, std::size_t count, Precision precision, Part part,
                  std::shared_ptr<const void> owner, bool writeable);
py::array view_of(const Vec3d* rows, std::size_t count, std::shared_ptr<const void> owner);

/// `orrery.DeviceArray`: numbers of bodies in the memory of CUDA's device 0, for other packages through
/// __cuda_array_interface__ (version 3) or DLPack (dmlc/dlpack, version 0 of its ABI). Compiles without CUDA.
struct DeviceArray {
    const void* data = nullptr;
    std::size_t count = 0;
    Precision precision = Precision::kSingle;
    bool rows = true;  ///< of shape (N, 3); otherwise (N,)
    std::shared_ptr<const BodySystem> owner;
    std::size_t column = 0;  ///< in BodyState: 0 positions and masses, 1 velocities, 2 accelerations
};

}  // namespace orrery::python
