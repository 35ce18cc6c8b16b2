// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_source.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"
#include "core/formats/hdf5_driver.hpp"

namespace orrery::hdf5 {
namespace {

constexpr std::uint64_t kMostDeflated = 1100;  ///< most bytes that one compressed byte can expand to (zlib: 1032)
constexpr hsize_t kMostOfAttribute = 4096;     ///< numbers, or characters

hid_t in_memory(Number type) {
    switch (type) {
        case Number::kFloat:
            return H5T_NATIVE_FLOAT;
        case Number::kUint64:
            return H5T_NATIVE_UINT64;
        case Number::kInt64:
            return H5T_NATIVE_INT64;
        case Number::kUint8:
            return H5T_NATIVE_UINT8;
        case Number::kChar:
            return H5T_NATIVE_CHAR;
        default:
            return H5T_NATIVE_DOUBLE;
    }
}

/// Checks that the bits a conversion reads lie within a number of class `kind`; HDF5 1.10 does not check.
bool is_sound(const Handle& type, H5T_class_t kind) {
    const H5T_order_t order = H5Tget_order(type.id());
    const std::size_t size = H5Tget_size(type.id()), bits = H5Tget_precision(type.id());
    const int offset = H5Tget_offset(type.id());
    if ((order != H5T_ORDER_LE && order != H5T_ORDER_BE) || size == 0 || size > 16 || bits == 0 || offset < 0 ||
        static_cast<std::size_t>(offset) + bits > 8 * size)
        return false;
    if (kind == H5T_INTEGER) return size <= 8;
    std::size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
    return H5Tget_fields(type.id(), &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) >= 0 && sign < bits &&
           exponent_bits > 0 && exponent_bits < 32 && exponent + exponent_bits <= bits && mantissa_bits > 0 &&
           mantissa + mantissa_bits <= bits;
}

}  // namespace

void disable_external_links() {
    silence_library();
    H5PLset_loading_state(0);
    H5Lunregister(H5L_TYPE_EXTERNAL);
}

Source::Source(std::string path, Descriptor file) : path_{std::move(path)}, descriptor_{std::move(file)} {
    size_ = static_cast<std::uint64_t>(std::max<off_t>(0, ::lseek(descriptor_.get(), 0, SEEK_END)));
    file_ = open_descriptor(descriptor_.get());
    if (!file_) refuse(kNotHdf5);
}

void Source::refuse(const std::string& what) const { usage_error(fmt::format("{}: {}", path_, what)); }

bool Source::has(const std::string& object) const {
    if (object == "/") return true;
    for (std::size_t end = 0; end != std::string::npos;) {
        end = object.find('/', end + 1);
        const std::string part = object.substr(0, end);
        H5L_info_t link{};
        if (H5Lexists(file_.id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
        if (H5Lget_info(file_.id(), part.c_str(), &link, H5P_DEFAULT) < 0 ||
            (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT))
            refuse(fmt::format("{} is an external link; only data inside the file is read", part));
    }
    return true;
}

Handle Source::group(const std::string& object) const {
    Handle group{has(object) ? H5Gopen2(file_.id(), object.c_str(), H5P_DEFAULT) : -1, H5Gclose};
    if (!group) refuse(fmt::format("group {} is missing", object));
    return group;
}

void Source::require_group(const std::string& object) const { group(object); }

std::optional<std::vector<double>> Source::numbers(const std::string& where, const std::string& name) const {
    const Handle holder = group(where);
    if (H5Aexists(holder.id(), name.c_str()) <= 0) return std::nullopt;
    const Handle attribute{H5Aopen(holder.id(), name.c_str(), H5P_DEFAULT), H5Aclose};
    const Handle space{H5Aget_space(attribute.id()), H5Sclose}, type{H5Aget_type(attribute.id()), H5Tclose};
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const H5T_class_t kind = H5Tget_class(type.id());
    if (count < 1 || count > static_cast<hssize_t>(kMostOfAttribute) || (kind != H5T_INTEGER && kind != H5T_FLOAT) ||
        !is_sound(type, kind))
        refuse(fmt::format("attribute {} of {} is not numeric", name, where));
    std::vector<double> values(static_cast<std::size_t>(count));
    if (H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) < 0)
        refuse(fmt::format("attribute {} of {} cannot be read", name, where));
    return values;
}

std::optional<std::string> Source::text(const std::string& where, const std::string& name) const {
    const Handle holder = group(where);
    if (H5Aexists(holder.id(), name.c_str()) <= 0) return std::nullopt;
    const Handle attribute{H5Aopen(holder.id(), name.c_str(), H5P_DEFAULT), H5Aclose};
    const Handle type{H5Aget_type(attribute.id()), H5Tclose}, space{H5Aget_space(attribute.id()), H5Sclose};
    const std::size_t size = H5Tget_size(type.id());
    if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 || size > kMostOfAttribute ||
        H5Sget_simple_extent_npoints(space.id()) != 1)
        refuse(fmt::format("attribute {} of {} is not text", name, where));
    std::string value(size, '\0');
    if (H5Aread(attribute.id(), type.id(), value.data()) < 0)
        refuse(fmt::format("attribute {} of {} cannot be read", name, where));
    value.resize(std::min(value.find('\0'), value.size()));
    return value;
}

Handle Source::set(const std::string& object) const {
    if (!has(object) ||
        H5Oexists_by_name(file_.id(), object.c_str(), H5P_DEFAULT) <= 0)  // false for a broken soft link
        refuse(fmt::format("data set {} is missing", object));
    Handle set{H5Dopen2(file_.id(), object.c_str(), H5P_DEFAULT), H5Dclose};
    if (!set) refuse(fmt::format("data set {}: damaged or truncated: the HDF5 library cannot open it", object));
    return set;
}

std::uint32_t Source::first_of(const std::vector<std::string>& objects) const {
    const auto found = std::ranges::find_if(objects, [&](const std::string& object) { return has(object); });
    return found == objects.end() ? 0 : static_cast<std::uint32_t>(found - objects.begin() + 1);
}

Shape Source::shape(const std::string& object) const {
    const Handle opened = set(object);
    const Handle space{H5Dget_space(opened.id()), H5Sclose}, type{H5Dget_type(opened.id()), H5Tclose};
    std::array<hsize_t, 2> dims{0, 1};
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr) < 0)
        refuse(fmt::format("data set {}: expected rows of numbers", object));
    return {dims[0], H5Tget_size(type.id()), H5Tget_class(type.id())};
}

std::vector<std::string> Source::data_sets(const std::string& where) const {
    const Handle holder = group(where);
    std::vector<std::string> names;
    // A damaged one, which needs no reader, is none. Links are not followed.
    const auto take = [](hid_t in, const char* name, const H5L_info_t* link, void* found) -> herr_t {
        auto& into = *static_cast<std::vector<std::string>*>(found);
        if (link->type != H5L_TYPE_HARD) return 0;
        const Handle object{H5Oopen(in, name, H5P_DEFAULT), H5Oclose};
        if (object && H5Iget_type(object.id()) == H5I_DATASET) into.emplace_back(name);
        return into.size() < kMostNames ? 0 : 1;
    };
    H5Literate(holder.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names);
    return names;
}

Column Source::column(const std::string& object, std::uint64_t rows, std::uint64_t columns, H5T_class_t kind) const {
    Column column;
    column.rows = rows, column.columns = columns;
    column.set = set(object);
    const Handle made{H5Dget_create_plist(column.set.id()), H5Pclose};
    if (H5Pget_layout(made.id()) == H5D_VIRTUAL || H5Pget_external_count(made.id()) != 0)
        refuse(fmt::format("data set {}: its numbers are in another file; only what is in the file is read", object));
    column.space = {H5Dget_space(column.set.id()), H5Sclose};
    const Handle type{H5Dget_type(column.set.id()), H5Tclose};
    std::array<hsize_t, 2> dims{0, 1};
    const int rank = H5Sget_simple_extent_ndims(column.space.id());
    if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(column.space.id(), dims.data(), nullptr) < 0 ||
        dims[0] != rows || dims[1] != columns)
        refuse(fmt::format("data set {}: expected {} × {} numbers, found {} × {}", object, rows, columns, dims[0],
                           dims[1]));
    if (H5Tget_class(type.id()) != kind)
        refuse(fmt::format("data set {}: expected {}", object, kind == H5T_FLOAT ? "real numbers" : "whole numbers"));
    if (!is_sound(type, kind)) refuse(fmt::format("data set {}: numbers of an unknown form", object));
    const std::uint64_t stored = H5Dget_storage_size(column.set.id());
    const std::uint64_t size = H5Tget_size(type.id()), most = H5Pget_nfilters(made.id()) > 0 ? kMostDeflated : 1;
    if (stored > size_ || rows > stored * most / size / columns)
        refuse(fmt::format("data set {}: truncated: {} bytes for {} × {} numbers", object, stored, rows, columns));
    return column;
}

void Source::read(const Column& column, const std::string& object, std::uint64_t first, std::uint64_t rows, Number type,
                  void* into) const {
    const std::array<hsize_t, 2> start{first, 0}, count{rows, column.columns};
    const Handle memory{H5Screate_simple(H5Sget_simple_extent_ndims(column.space.id()), count.data(), nullptr),
                        H5Sclose};
    if (H5Sselect_hyperslab(column.space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dread(column.set.id(), in_memory(type), memory.id(), column.space.id(), H5P_DEFAULT, into) < 0)
        refuse(fmt::format("data set {}: rows from {} cannot be read", object, first));
}

}  // namespace orrery::hdf5
