// SPDX-License-Identifier: MIT
#pragma once
#include <pybind11/numpy.h>

#include "app/render/image.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// An image from NumPy: uint8 of shape (height, width, 3 or 4). Alpha is ignored. Throws TypeError for another type,
/// UsageError for another shape.
Image image_of(const py::array& given);

}  // namespace orrery::python
