// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/input_file.hpp"

namespace orrery::hdf5 {
namespace {

constexpr std::uint64_t kMostDeflated = 1100;  ///< bytes that a compressed byte can stand for (zlib: 1032)
constexpr hsize_t kMostOfAttribute = 4096;     ///< numbers, or letters

/// The library prints its errors unless it is told not to; and when the program ends it would once more write what a
/// full disk did not take, and crash (HDF5 1.10).
void be_silent() {
    static const herr_t no_end_of_its_own = H5dont_atexit();
    static_cast<void>(no_end_of_its_own);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

}  // namespace

const std::string_view kWhyNot = "";

Reader::Reader(std::filesystem::path path) : path_{std::move(path)} {
    be_silent();
    InputFile{path_};  // says what is wrong with a path
    file_ = {H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    if (!file_) refuse("truncated or not an HDF5 file: the library cannot open it");
}

void Reader::refuse(const std::string& what) const { usage_error(fmt::format("{}: {}", path_.string(), what)); }

bool Reader::has(const std::string& object) const { return H5Lexists(file_.id(), object.c_str(), H5P_DEFAULT) > 0; }

Handle Reader::group(const std::string& object) const {
    Handle group{has(object) ? H5Gopen2(file_.id(), object.c_str(), H5P_DEFAULT) : -1, H5Gclose};
    if (!group) refuse(fmt::format("group {} is missing", object));
    return group;
}

std::optional<std::vector<double>> Reader::numbers(const std::string& where, const std::string& name) const {
    const Handle holder = group(where);
    if (H5Aexists(holder.id(), name.c_str()) <= 0) return std::nullopt;
    const Handle attribute{H5Aopen(holder.id(), name.c_str(), H5P_DEFAULT), H5Aclose};
    const Handle space{H5Aget_space(attribute.id()), H5Sclose}, type{H5Aget_type(attribute.id()), H5Tclose};
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const H5T_class_t kind = H5Tget_class(type.id());
    if (count < 1 || count > static_cast<hssize_t>(kMostOfAttribute) || (kind != H5T_INTEGER && kind != H5T_FLOAT))
        refuse(fmt::format("attribute {} of {} is not numeric", name, where));
    std::vector<double> values(static_cast<std::size_t>(count));
    if (H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) < 0)
        refuse(fmt::format("attribute {} of {} cannot be read", name, where));
    return values;
}

std::optional<double> Reader::number(const std::string& where, const std::string& name) const {
    const auto values = numbers(where, name);
    return values ? std::optional{values->front()} : std::nullopt;
}

std::optional<std::string> Reader::text(const std::string& where, const std::string& name) const {
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

Column Reader::column(const std::string& object, std::uint64_t rows, std::uint64_t columns, H5T_class_t kind) const {
    Column column;
    column.rows = rows, column.columns = columns;
    if (has(object)) column.set = {H5Dopen2(file_.id(), object.c_str(), H5P_DEFAULT), H5Dclose};
    if (!column.set) refuse(fmt::format("data set {} is missing", object));
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
    const Handle made{H5Dget_create_plist(column.set.id()), H5Pclose};
    const std::uint64_t stored = H5Dget_storage_size(column.set.id());
    const std::uint64_t size = H5Tget_size(type.id()), most = H5Pget_nfilters(made.id()) > 0 ? kMostDeflated : 1;
    if (size == 0 || size > 16 || rows > stored * most / size / columns)
        refuse(fmt::format("data set {}: truncated: {} bytes for {} × {} numbers", object, stored, rows, columns));
    return column;
}

void Reader::read(const Column& column, const std::string& object, std::uint64_t first, std::uint64_t rows, hid_t type,
                  void* into) const {
    const std::array<hsize_t, 2> start{first, 0}, count{rows, column.columns};
    const Handle memory{H5Screate_simple(H5Sget_simple_extent_ndims(column.space.id()), count.data(), nullptr),
                        H5Sclose};
    if (H5Sselect_hyperslab(column.space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dread(column.set.id(), type, memory.id(), column.space.id(), H5P_DEFAULT, into) < 0)
        refuse(fmt::format("data set {}: rows from {} cannot be read", object, first));
}

Writer::Writer(std::filesystem::path path, std::size_t user_block) : to_{std::move(path)} {
    be_silent();
    if (!to_.replaceable())
        environment_error(fmt::format("{}: HDF5 is written only to regular files", to_.asked().string()));
    to_.open();  // with the mode of the file it replaces
    const Handle made{H5Pcreate(H5P_FILE_CREATE), H5Pclose};
    if (user_block > 0) H5Pset_userblock(made.id(), user_block);
    H5Pset_obj_track_times(made.id(), false);  // the same scene makes the same bytes
    file_ = {H5Fcreate(temporary().c_str(), H5F_ACC_TRUNC, made.id(), H5P_DEFAULT), H5Fclose};
    if (!file_) to_.remove_temporary(), fail();
}

Writer::~Writer() {
    if (done_) return;
    file_.close();
    to_.remove_temporary();
}

void Writer::fail() const {
    environment_error(fmt::format("{}: cannot be written: the disk is full or has failed", to_.asked().string()));
}

void Writer::group(const std::string& name) {
    const Handle made{H5Gcreate2(file_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
    if (!made) fail();
}

void Writer::attribute(const std::string& group, const char* name, hid_t type, const Handle& space, const void* value) {
    const Handle holder{H5Gopen2(file_.id(), group.c_str(), H5P_DEFAULT), H5Gclose};
    const Handle made{H5Acreate2(holder.id(), name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
    if (!made || H5Awrite(made.id(), type, value) < 0) fail();
}

void Writer::number(const std::string& group, const char* name, double value) {
    attribute(group, name, H5T_NATIVE_DOUBLE, {H5Screate(H5S_SCALAR), H5Sclose}, &value);
}

void Writer::numbers(const std::string& group, const char* name, const std::vector<double>& values) {
    const hsize_t count = values.size();
    attribute(group, name, H5T_NATIVE_DOUBLE, {H5Screate_simple(1, &count, nullptr), H5Sclose}, values.data());
}

void Writer::integers(const std::string& group, const char* name, const std::vector<std::int64_t>& values) {
    const hsize_t count = values.size();
    attribute(group, name, H5T_NATIVE_INT64, {H5Screate_simple(1, &count, nullptr), H5Sclose}, values.data());
}

void Writer::text(const std::string& group, const char* name, const std::string& value) {
    const Handle type{H5Tcopy(H5T_C_S1), H5Tclose};
    H5Tset_size(type.id(), value.size() + 1);
    H5Tset_cset(type.id(), H5T_CSET_UTF8);
    attribute(group, name, type.id(), {H5Screate(H5S_SCALAR), H5Sclose}, value.c_str());
}

Column Writer::column(const std::string& name, std::uint64_t rows, std::uint64_t columns, hid_t type) {
    Column column;
    column.rows = rows, column.columns = columns;
    const std::array<hsize_t, 2> dims{rows, columns};
    column.space = {H5Screate_simple(columns == 1 ? 1 : 2, dims.data(), nullptr), H5Sclose};
    const Handle made{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_obj_track_times(made.id(), false);
    column.set = {H5Dcreate2(file_.id(), name.c_str(), type, column.space.id(), H5P_DEFAULT, made.id(), H5P_DEFAULT),
                  H5Dclose};
    if (!column.set) fail();
    return column;
}

void Writer::write(const Column& column, std::uint64_t first, std::uint64_t rows, hid_t type, const void* from) {
    const std::array<hsize_t, 2> start{first, 0}, count{rows, column.columns};
    const Handle memory{H5Screate_simple(column.columns == 1 ? 1 : 2, count.data(), nullptr), H5Sclose};
    if (H5Sselect_hyperslab(column.space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dwrite(column.set.id(), type, memory.id(), column.space.id(), H5P_DEFAULT, from) < 0)
        fail();
}

void Writer::close() {
    if (!file_) return;
    if (H5Fflush(file_.id(), H5F_SCOPE_LOCAL) < 0 || !file_.close() || Handle::failed_closes() != failed_closes_)
        fail();
}

void Writer::commit() {
    close();
    to_.replace(true);
    done_ = true;
}

}  // namespace orrery::hdf5
