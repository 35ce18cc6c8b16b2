// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/analysis/columns.hpp"
#include "core/base/error.hpp"
#include "core/formats/hdf5_formats.hpp"

namespace orrery::hdf5 {
namespace {

std::unique_lock<std::mutex> library_in_use() {
    static std::mutex mutex;
    return std::unique_lock{mutex};
}

}  // namespace

const std::string_view kWhyNot = "";

Writer::Writer(std::filesystem::path path, std::size_t user_block) : library_{library_in_use()}, to_{std::move(path)} {
    silence_library();
    if (!to_.replaceable())
        environment_error(fmt::format("{}: HDF5 is written only to regular files", to_.asked().string()));
    to_.open();  // with the mode of the file it replaces
    const Handle made{H5Pcreate(H5P_FILE_CREATE), H5Pclose};
    if (user_block > 0) H5Pset_userblock(made.id(), user_block);
    H5Pset_obj_track_times(made.id(), false);  // the same scene gives the same bytes
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
    const Handle holder{H5Oopen(file_.id(), group.c_str(), H5P_DEFAULT), H5Oclose};
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

Column Writer::column(const std::string& name, std::uint64_t rows, std::uint64_t columns, hid_t type, int compress) {
    Column column;
    column.rows = rows, column.columns = columns;
    const std::array<hsize_t, 2> dims{rows, columns};
    column.space = {H5Screate_simple(columns == 1 ? 1 : 2, dims.data(), nullptr), H5Sclose};
    const Handle made{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_obj_track_times(made.id(), false);
    if (compress > 0 && rows > 0) {
        const std::array<hsize_t, 2> chunk{std::min(rows, kRows), columns};
        if (H5Pset_chunk(made.id(), columns == 1 ? 1 : 2, chunk.data()) < 0 || H5Pset_shuffle(made.id()) < 0 ||
            H5Pset_deflate(made.id(), static_cast<unsigned>(compress)) < 0)
            fail();
    }
    const Handle link{H5Pcreate(H5P_LINK_CREATE), H5Pclose};
    H5Pset_create_intermediate_group(link.id(), 1);  // names of fields may contain slashes
    column.set = {H5Dcreate2(file_.id(), name.c_str(), type, column.space.id(), link.id(), made.id(), H5P_DEFAULT),
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

void write_number_table(const NumberTable& table, const std::string& group, const std::filesystem::path& path) {
    Writer file{path, 0};
    file.group(group);
    for (const std::string& name : table.columns) {
        std::vector<double> numbers;
        for (const auto& value : table.column(name))
            numbers.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
        const Column column = file.column(group + '/' + name, numbers.size(), 1, H5T_IEEE_F64LE);
        file.write(column, 0, numbers.size(), H5T_NATIVE_DOUBLE, numbers.data());
    }
    file.close();
    file.commit();
}

}  // namespace orrery::hdf5
