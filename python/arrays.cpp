// SPDX-License-Identifier: MIT
#include "python/arrays.hpp"

#include <fmt/format.h>

#include <cstring>

#include "core/base/error.hpp"

namespace orrery::python {
namespace {

std::string shape_text(const py::array& array) {
    std::string text;
    for (py::ssize_t axis = 0; axis < array.ndim(); ++axis)
        text += fmt::format("{}{}", axis ? ", " : "", array.shape(axis));
    return fmt::format("({}{})", text, array.ndim() == 1 ? "," : "");
}

py::array array_of(const py::handle& given, const char* what) {
    if (py::hasattr(given, "mask") && py::cast<bool>(py::module_::import("numpy").attr("any")(given.attr("mask"))))
        usage_error(fmt::format("{}: some values are masked; fill them or remove those bodies", what));
    const py::array array = py::array::ensure(given);
    if (!array) {
        PyErr_Clear();
        throw py::type_error{fmt::format("{}: expected an array of numbers", what)};
    }
    const char kind = array.dtype().kind();
    if (kind != 'f' && kind != 'i' && kind != 'u')
        throw py::type_error{
            fmt::format("{}: expected real numbers, found {}", what, std::string{py::str(array.dtype())})};
    return array;
}

template <class T>
using Plain = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T, class Row>
std::vector<Row> copied(const py::array& array, std::size_t count) {
    const Plain<T> plain{array};
    std::vector<Row> rows(count);
    if (count > 0) std::memcpy(rows.data(), plain.data(), count * sizeof(Row));
    return rows;
}

void require_shape(const py::array& array, const char* what, std::optional<std::size_t> count, bool rows) {
    const bool right = array.ndim() == (rows ? 2 : 1) && (!rows || array.shape(1) == 3) &&
                       (!count || static_cast<std::size_t>(array.shape(0)) == *count);
    if (right) return;
    const std::string n = count ? std::to_string(*count) : "N";
    usage_error(fmt::format("{}: expected shape ({}{}), found {}", what, n, rows ? ", 3" : ",", shape_text(array)));
}

py::capsule keeper_of(std::shared_ptr<const void> owner) {
    auto kept = std::make_unique<std::shared_ptr<const void>>(std::move(owner));
    py::capsule capsule{kept.get(), [](void* held) { delete static_cast<std::shared_ptr<const void>*>(held); }};
    (void)kept.release();
    return capsule;
}

void forbid_writing(py::array& array) { array.attr("setflags")(py::arg("write") = false); }

}  // namespace

std::vector<Vec3d> rows_of(const py::handle& given, const char* what, std::optional<std::size_t> count) {
    const py::array array = array_of(given, what);
    require_shape(array, what, count, true);
    return copied<double, Vec3d>(array, static_cast<std::size_t>(array.shape(0)));
}

std::vector<double> numbers_of(const py::handle& given, const char* what, std::size_t count) {
    const py::array array = array_of(given, what);
    require_shape(array, what, count, false);
    return copied<double, double>(array, count);
}

std::vector<std::uint64_t> ids_of(const py::handle& given, const char* what, std::size_t count) {
    const py::array array = array_of(given, what);
    if (array.dtype().kind() == 'f') throw py::type_error{fmt::format("{}: expected whole numbers", what)};
    require_shape(array, what, count, false);
    if (count > 0 && array.dtype().kind() == 'i' && array.attr("min")().cast<std::int64_t>() < 0)
        usage_error(
            fmt::format("{}: expected numbers from 0 up, found {}", what, array.attr("min")().cast<std::int64_t>()));
    return copied<std::uint64_t, std::uint64_t>(array, count);
}

py::array view_of(const void* rows, std::size_t count, Precision precision, Part part,
                  std::shared_ptr<const void> owner, bool writeable) {
    const bool single = precision == Precision::kSingle;
    const py::ssize_t number = single ? sizeof(float) : sizeof(double), n = static_cast<py::ssize_t>(count);
    const py::dtype type = single ? py::dtype::of<float>() : py::dtype::of<double>();
    const auto* const from = static_cast<const std::byte*>(rows) + (part == Part::kW ? 3 * number : 0);
    const py::capsule keeper = keeper_of(std::move(owner));
    py::array view = part == Part::kXyz ? py::array{type, {n, py::ssize_t{3}}, {4 * number, number}, from, keeper}
                                        : py::array{type, {n}, {4 * number}, from, keeper};
    if (!writeable) forbid_writing(view);
    return view;
}

py::array view_of(const Vec3d* rows, std::size_t count, std::shared_ptr<const void> owner) {
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    return py::array{py::dtype::of<double>(),
                     {static_cast<py::ssize_t>(count), py::ssize_t{3}},
                     {py::ssize_t{sizeof(Vec3d)}, py::ssize_t{sizeof(double)}},
                     rows,
                     keeper_of(std::move(owner))};
}

}  // namespace orrery::python
