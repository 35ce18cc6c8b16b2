// SPDX-License-Identifier: MIT
#include "python/values.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/body_state.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/maps/maps.hpp"

namespace orrery::python {
namespace {

[[noreturn]] void wrong_type(const SettingInfo& info, const char* expected, const py::handle& given) {
    throw py::type_error{fmt::format("{}: expected {}, found {}", info.id, expected,
                                     std::string{py::str(py::type::of(given).attr("__name__"))})};
}

bool is_bool(const py::handle& given) {
    if (PyBool_Check(given.ptr())) return true;
    const std::string name{py::str(py::type::of(given).attr("__name__"))};
    return name == "bool_" || name == "bool";  // NumPy's: bool_ until version 1, bool since version 2
}

/// An int, an object with __index__ such as NumPy's whole numbers, or a float without a fraction.
SettingValue whole_of(const SettingInfo& info, const py::handle& given) {
    if (PyFloat_Check(given.ptr()))
        if (const double number = PyFloat_AsDouble(given.ptr());
            number == std::trunc(number) && std::abs(number) < 1e15)
            return static_cast<std::int64_t>(number);
    if (is_bool(given) || !PyIndex_Check(given.ptr())) wrong_type(info, "a whole number", given);
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!number) throw py::error_already_set{};
    int overflow = 0;
    const std::int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0) usage_error(fmt::format("{}: expected {}", info.id, expected_text(info)));
    return value;
}

SettingValue real_of(const SettingInfo& info, const py::handle& given) {
    if (is_bool(given) ||
        (!PyFloat_Check(given.ptr()) && !PyIndex_Check(given.ptr()) && !py::hasattr(given, "__float__")) ||
        PyUnicode_Check(given.ptr()))
        wrong_type(info, "a number", given);
    const double value = PyFloat_AsDouble(given.ptr());
    if (value == -1 && PyErr_Occurred()) throw py::error_already_set{};
    return value;
}

SettingValue text_value_of(const SettingInfo& info, const py::handle& given) {
    if (!PyUnicode_Check(given.ptr())) wrong_type(info, "a str", given);
    return given.cast<std::string>();
}

bool is_named_by_itself(const SettingInfo& info) {
    return info.id == "engine" || info.id == "backend" || info.id == "precision";
}

const EngineSetting* find(const EngineEntry& entry, const std::string& keyword) {
    for (const EngineSetting& each : engine_settings())
        if (!is_named_by_itself(each.info) && means(keyword, each.info) && reads(entry, each.info)) return &each;
    return nullptr;
}

/// Throws for a keyword that is not a setting of this engine.
[[noreturn]] void refuse(const EngineEntry& entry, const std::string& keyword) {
    std::string known;
    for (const EngineSetting& each : engine_settings()) {
        if (is_named_by_itself(each.info)) continue;
        if (means(keyword, each.info))
            usage_error(fmt::format("engine '{}' on {} does not accept '{}'; only {} accept it", entry.id,
                                    name(entry.backend), keyword,
                                    each.info.group ? each.info.group->of : "other engines"));
        known += fmt::format("{}{}", known.empty() ? "" : ", ", each.info.id);
    }
    throw py::type_error{fmt::format("'{}' is not a setting of an engine; there are {}", keyword, known)};
}

void require_root_taken(const EngineEntry& entry, const EngineConfig& config) {
    const bool triples = entry.walks_triples();
    if (!(triples ? simplex3_map(config.map3).takes_root : map(config.map).takes_root))
        usage_error(fmt::format("map '{}' takes no square root", triples ? config.map3 : config.map));
}

/// Resets the alternatives of a setting of which only one may be set.
void leave_alternatives(const EngineSetting& chosen, EngineConfig& config) {
    if (chosen.info.instead_of.empty()) return;
    for (const EngineSetting& other : engine_settings())
        if (&other != &chosen && other.info.instead_of == chosen.info.instead_of)
            other.member.set(config, other.member.get(default_engine_config()));
}

}  // namespace

SettingValue value_of(const SettingInfo& info, const py::handle& given) {
    SettingValue value;
    if (std::holds_alternative<FlagKind>(info.kind)) {
        if (!is_bool(given)) wrong_type(info, "a bool", given);
        value = given.cast<bool>();
    } else if (std::holds_alternative<WholeKind>(info.kind) || std::holds_alternative<SizesKind>(info.kind)) {
        value = whole_of(info, given);
    } else if (std::holds_alternative<RealKind>(info.kind)) {
        value = real_of(info, given);
    } else {
        value = text_value_of(info, given);
    }
    if (!accepts(info, value) && info.explain) info.explain(text_of(value));
    if (!accepts(info, value))
        usage_error(fmt::format("{}: expected {}, found {}", info.id, expected_text(info), text_of(value)));
    return value;
}

py::object object_of(const SettingValue& value) {
    return std::visit(
        []<class T>(const T& held) -> py::object {
            if constexpr (std::same_as<T, std::monostate>)
                return py::none();
            else
                return py::cast(held);
        },
        value);
}

bool means(const std::string& keyword, const SettingInfo& info) {
    if (keyword == info.id) return true;
    std::string flags = flag_of(info);
    std::ranges::replace(flags, '-', '_');
    return (',' + flags + ',').find(',' + keyword + ',') != std::string::npos;
}

namespace {

/// A kernel chooses its engine and its backend, unless they are given, and may be run: the caller wrote it. Without
/// one, a new engine has none.
void choose_by_kernel(const EngineWish& wish, EngineConfig& config) {
    if (!wish.settings.contains("kernel")) {
        if (wish.engine) config.kernel.clear();
        return;
    }
    const py::object given = wish.settings["kernel"];
    if (!PyUnicode_Check(given.ptr())) return;
    const KernelFile file = parse_kernel(given.cast<std::string>());
    trust_kernel(file);
    const EngineEntry& entry = orrery::engine_of(file);
    if (!wish.engine) config.engine = entry.id;
    if (!wish.backend) config.backend = entry.backend;
}

}  // namespace

EngineConfig engine_of(EngineConfig base, bool base_given, const EngineWish& wish) {
    any_engine(wish.engine.value_or(base.engine));
    EngineConfig config = base;
    if (wish.precision) config.precision = parse_precision(*wish.precision);
    if (wish.engine) config.engine = *wish.engine;
    if (wish.backend)
        config.backend = parse_backend(*wish.backend);
    else if (wish.engine || !base_given)
        config.backend = default_backend(config.engine);
    choose_by_kernel(wish, config);
    const EngineEntry& entry = engine(config.engine, config.backend);
    bool root = false;
    std::vector<std::string_view> alternatives;
    for (const auto& [key, given] : wish.settings) {
        const auto keyword = key.cast<std::string>();
        const EngineSetting* const found = find(entry, keyword);
        if (!found) refuse(entry, keyword);
        if (given.is_none()) {
            found->member.set(config, found->member.get(default_engine_config()));
            continue;
        }
        if (!found->info.instead_of.empty()) {
            if (std::ranges::find(alternatives, found->info.instead_of) != alternatives.end())
                usage_error(fmt::format("'{}': only one of accuracy, alpha, theta and cutoff can be chosen", keyword));
            alternatives.push_back(found->info.instead_of);
        }
        leave_alternatives(*found, config);
        found->member.set(config, value_of(found->info, given));
        root = root || found->info.id == "root";
    }
    if (root) require_root_taken(entry, config);
    return config;
}

py::dict described(const EngineConfig& config) {
    const EngineEntry& entry = engine(config.engine, config.backend);
    py::dict all;
    for (const EngineSetting& each : engine_settings())
        if (reads(entry, each.info)) all[py::str(std::string{each.info.id})] = object_of(each.member.get(config));
    return all;
}

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

// The structures as declared in dlpack.h.
struct DlDevice {
    std::int32_t type, id;
};
struct DlType {
    std::uint8_t code, bits;
    std::uint16_t lanes;
};
struct DlTensor {
    void* data;
    DlDevice device;
    std::int32_t dimensions;
    DlType type;
    std::int64_t *shape, *strides;
    std::uint64_t byte_offset;
};
struct DlManaged {
    DlTensor tensor;
    void* context;
    void (*deleter)(DlManaged*);
};
constexpr std::int32_t kDlCuda = 2;
constexpr std::uint8_t kDlFloat = 2;
constexpr const char* kFresh = "dltensor";

struct Exported {
    DlManaged managed;
    std::int64_t shape[2], strides[2];
    std::shared_ptr<const BodySystem> owner;
};

py::ssize_t number_size(const DeviceArray& array) { return array.precision == Precision::kSingle ? 4 : 8; }

py::tuple shape_of(const DeviceArray& array) {
    return array.rows ? py::make_tuple(array.count, 3) : py::make_tuple(array.count);
}
py::tuple strides_of(const DeviceArray& array) {
    const py::ssize_t number = number_size(array);
    return array.rows ? py::make_tuple(4 * number, number) : py::make_tuple(4 * number);
}

py::dict cuda_array_interface(const DeviceArray& array) {
    py::dict all;
    all["shape"] = shape_of(array);
    all["typestr"] = array.precision == Precision::kSingle ? "<f4" : "<f8";
    all["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(array.data), true);
    all["version"] = 3;
    all["strides"] = strides_of(array);
    all["stream"] = py::none();  // all earlier work is complete
    return all;
}

py::capsule dlpack(const DeviceArray& array, const py::object&) {
    auto exported = std::make_unique<Exported>();
    exported->owner = array.owner;
    exported->shape[0] = static_cast<std::int64_t>(array.count), exported->shape[1] = 3;
    exported->strides[0] = 4, exported->strides[1] = 1;
    exported->managed = {.tensor = {.data = const_cast<void*>(array.data),
                                    .device = {kDlCuda, 0},
                                    .dimensions = array.rows ? 2 : 1,
                                    .type = {kDlFloat, static_cast<std::uint8_t>(8 * number_size(array)), 1},
                                    .shape = exported->shape,
                                    .strides = exported->strides,
                                    .byte_offset = 0},
                         .context = exported.get(),
                         .deleter = [](DlManaged* self) { delete static_cast<Exported*>(self->context); }};
    // A consumer renames the capsule and calls the deleter itself; an unconsumed capsule calls it here.
    PyObject* const capsule = PyCapsule_New(&exported->managed, kFresh, [](PyObject* left) {
        if (!PyCapsule_IsValid(left, kFresh)) return;
        auto* const managed = static_cast<DlManaged*>(PyCapsule_GetPointer(left, kFresh));
        managed->deleter(managed);
    });
    if (!capsule) throw py::error_already_set{};
    (void)exported.release();
    return py::reinterpret_steal<py::capsule>(capsule);
}

py::array on_host(const DeviceArray& array) {
    std::shared_ptr<BodyState> state;
    {
        const Unlocked unlocked;
        state = std::make_shared<BodyState>(array.owner->save());
    }
    const std::size_t row = 4 * static_cast<std::size_t>(number_size(array));
    const std::byte* const from = state->bytes.data() + array.column * state->count * row;
    const std::size_t count = state->count;
    return view_of(from, count, array.precision, array.rows ? Part::kXyz : Part::kW, std::move(state), true);
}

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

std::vector<double> numbers_or_one(const py::handle& given, const char* what, std::size_t count) {
    const bool one = PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr());
    return one ? std::vector<double>(count, given.cast<double>()) : numbers_of(given, what, count);
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

void bind_device_array(py::module_& module) {
    using namespace py::literals;
    py::class_<DeviceArray> type{
        module, "DeviceArray",
        "Numbers of bodies in the memory of CUDA's device 0, without a copy, for consumers of "
        "__cuda_array_interface__ (CuPy, Numba) or DLPack (PyTorch, JAX, CuPy). They are read-only; the simulation "
        "ignores changes to them. A consumer must have finished, on its stream, before the next step."};
    type.attr("__module__") = "orrery";
    type.def_property_readonly("__cuda_array_interface__", cuda_array_interface,
                               "Version 3 of CUDA's array interface; read-only, synchronised.")
        .def("__dlpack__", dlpack, py::kw_only(), "stream"_a = py::none(),
             "A DLPack capsule. All work on it is complete.")
        .def(
            "__dlpack_device__", [](const DeviceArray&) { return py::make_tuple(kDlCuda, 0); }, "(kDLCUDA, 0)")
        .def_property_readonly("shape", shape_of, "(N, 3) or (N,)")
        .def_property_readonly("strides", strides_of, "In bytes.")
        .def_property_readonly(
            "dtype",
            [](const DeviceArray& array) {
                return array.precision == Precision::kSingle ? py::dtype::of<float>() : py::dtype::of<double>();
            },
            "NumPy's type of the numbers.")
        .def("numpy", on_host, "A copy on the host. Waits for the device.")
        .def(
            "__array__",
            [](const DeviceArray& array, const py::object& dtype, const py::object& copy) -> py::object {
                if (copy.ptr() == Py_False)
                    throw py::value_error{"a DeviceArray cannot be converted to a host array without a copy"};
                py::array copied = on_host(array);
                return dtype.is_none() ? py::object{std::move(copied)} : copied.attr("astype")(dtype);
            },
            "dtype"_a = py::none(), "copy"_a = py::none(), "The same as numpy(), for numpy.asarray().")
        .def("__len__", [](const DeviceArray& array) { return array.count; })
        .def("__repr__", [](const DeviceArray& array) {
            return fmt::format("<orrery.DeviceArray of shape {}, {} on cuda:0>", std::string{py::str(shape_of(array))},
                               array.precision == Precision::kSingle ? "float32" : "float64");
        });
}

}  // namespace orrery::python
