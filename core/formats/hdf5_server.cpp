// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"

namespace orrery::hdf5 {
namespace {

/// The library's file object: H5FD_t must be its first member.
struct OpenDescriptor {
    H5FD_t head;
    int descriptor;
    haddr_t allocated, size;
};
static_assert(std::is_standard_layout_v<OpenDescriptor>);

OpenDescriptor& of(H5FD_t* file) { return *reinterpret_cast<OpenDescriptor*>(file); }
const OpenDescriptor& of(const H5FD_t* file) { return *reinterpret_cast<const OpenDescriptor*>(file); }

/// `name`: the descriptor in decimal digits.
H5FD_t* open_file(const char* name, unsigned, hid_t, haddr_t) {
    int descriptor = -1;
    std::from_chars(name, name + std::strlen(name), descriptor);
    const off_t size = ::lseek(descriptor, 0, SEEK_END);
    if (size < 0) return nullptr;
    return &(new OpenDescriptor{{}, descriptor, 0, static_cast<haddr_t>(size)})->head;
}

herr_t close_file(H5FD_t* file) {
    delete &of(file);
    return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
    *flags = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE;
    return 0;
}

/// Fills with zeros beyond the end of the file, as the library's own driver does.
herr_t read_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t from, size_t size, void* into) {
    const std::span bytes{static_cast<std::byte*>(into), size};
    const auto done = read_at(of(file).descriptor, from, bytes);
    if (!done) return -1;
    std::ranges::fill(bytes.subspan(*done), std::byte{0});
    return 0;
}

herr_t refuse_to_write(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*) { return -1; }

hid_t driver() {
    static const hid_t registered = [] {
        H5FD_class_t made{};
#ifdef H5FD_CLASS_VERSION  // HDF5 1.14 refuses a driver without them
        made.version = H5FD_CLASS_VERSION;
        made.value = 512;  // the first one that the HDF Group leaves to applications
#endif
        made.name = "orrery-descriptor";
        made.maxaddr = haddr_t{1} << 62;
        made.fc_degree = H5F_CLOSE_WEAK;
        made.open = open_file, made.close = close_file, made.query = query;
        made.get_eoa = [](const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; };
        made.set_eoa = [](H5FD_t* file, H5FD_mem_t, haddr_t end) { return of(file).allocated = end, herr_t{0}; };
        made.get_eof = [](const H5FD_t* file, H5FD_mem_t) { return of(file).size; };
        made.read = read_file, made.write = refuse_to_write;
        return H5FDregister(&made);
    }();
    return registered;
}

/// Opens an HDF5 file for reading by its descriptor, which remains the caller's and must outlive the file. The
/// library's own drivers take names, which may refer to another file by now, and HDF5 1.10 cannot open /proc/self/fd/N
/// of an unlinked file. Empty if the library cannot open it.
Handle open_descriptor(int descriptor) {
    const Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
    if (H5Pset_driver(access.id(), driver(), nullptr) < 0) return {};
    return {H5Fopen(fmt::format("{}", descriptor).c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose};
}

constexpr std::uint64_t kMostDeflated = 1100;   ///< most bytes that one compressed byte can expand to (zlib: 1032)
constexpr hsize_t kMostOfAttribute = 4096;      ///< numbers
constexpr std::size_t kMostOfText = 56 * 1024;  ///< characters of an attribute

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

Handle Source::holder(const std::string& object) const {
    Handle opened{has(object) ? H5Oopen(file_.id(), object.c_str(), H5P_DEFAULT) : -1, H5Oclose};
    if (!opened) refuse(fmt::format("group {} is missing", object));
    return opened;
}

void Source::require_group(const std::string& object) const { group(object); }

std::optional<std::vector<double>> Source::numbers(const std::string& where, const std::string& name) const {
    const Handle of = holder(where);
    if (H5Aexists(of.id(), name.c_str()) <= 0) return std::nullopt;
    const Handle attribute{H5Aopen(of.id(), name.c_str(), H5P_DEFAULT), H5Aclose};
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
    const Handle of = holder(where);
    if (H5Aexists(of.id(), name.c_str()) <= 0) return std::nullopt;
    const Handle attribute{H5Aopen(of.id(), name.c_str(), H5P_DEFAULT), H5Aclose};
    const Handle type{H5Aget_type(attribute.id()), H5Tclose}, space{H5Aget_space(attribute.id()), H5Sclose};
    const std::size_t size = H5Tget_size(type.id());
    if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 || size > kMostOfText ||
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
    return {dims[0], dims[1], H5Tget_size(type.id()), H5Tget_class(type.id())};
}

std::vector<std::string> Source::data_sets(const std::string& where) const {
    struct Found {
        std::vector<std::string> names;
        std::string group{};  // that is being listed, with a slash
    };
    // A damaged one, which needs no reader, is none. Links are not followed.
    const auto take = [](hid_t in, const char* name, const H5L_info_t* link, void* found) -> herr_t {
        auto& into = *static_cast<Found*>(found);
        if (link->type != H5L_TYPE_HARD) return 0;
        const Handle object{H5Oopen(in, name, H5P_DEFAULT), H5Oclose};
        if (object && H5Iget_type(object.id()) == H5I_DATASET) into.names.push_back(into.group + name);
        return into.names.size() < kMostNames ? 0 : 1;
    };
    const auto take_groups = [](hid_t in, const char* name, const H5L_info_t* link, void* found) -> herr_t {
        auto& into = *static_cast<Found*>(found);
        if (link->type != H5L_TYPE_HARD) return 0;
        const Handle object{H5Oopen(in, name, H5P_DEFAULT), H5Oclose};
        if (object && H5Iget_type(object.id()) == H5I_GROUP) into.names.emplace_back(name);
        return into.names.size() < kMostNames ? 0 : 1;
    };
    const Handle of = group(where);
    Found found, groups;
    H5Literate(of.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &found);
    H5Literate(of.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take_groups, &groups);
    for (const std::string& name : groups.names) {
        if (found.names.size() >= kMostNames) break;
        const Handle inner{H5Gopen2(of.id(), name.c_str(), H5P_DEFAULT), H5Gclose};
        found.group = name + "/";
        if (inner) H5Literate(inner.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &found);
    }
    return std::move(found.names);
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
    if (!is_sound(type, kind)) refuse(fmt::format("data set {}: numbers of an unsupported type", object));
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

Server::Server(std::span<std::byte> shared) : shared_{shared} { disable_external_links(); }

Packet Server::answer(Packet request, Descriptor file) {
    try {
        return answer_or_throw(request, std::move(file));
    } catch (const Error& error) {
        return Packet{}
            .put(error.blame() == Blame::kUsage ? Answer::kUsage : Answer::kEnvironment)
            .put_text(error.what());
    } catch (const std::bad_alloc&) {
        return Packet{}.put(Answer::kNoMemory);
    }
}

Packet Server::answer_or_throw(Packet& request, Descriptor descriptor) {
    const Ask what = request.take<Ask>();
    Packet reply;
    reply.put(Answer::kOk);
    if (what == Ask::kOpen) {
        if (request.take<std::uint32_t>() != kProtocol)
            environment_error("orrery-hdf5-reader is of another version than the program that started it");
        files_.try_emplace(next_file_, request.take_text(), std::move(descriptor));
        return reply.put(next_file_++);
    }
    const auto index = request.take<std::uint32_t>();
    if (what == Ask::kClose) return close(index), reply;
    const Source& file = files_.at(index);
    if (what == Ask::kRead) {
        const auto column = request.take<std::uint32_t>();
        const auto first = request.take<std::uint64_t>(), count = request.take<std::uint64_t>();
        return rows({column, first, count, request.take<Number>()});
    }
    if (what == Ask::kFirstOf) return reply.put(file.first_of(request.take_texts()));
    const std::string object = request.take_text();
    if (what == Ask::kHas) return reply.put_flag(file.has(object));
    if (what == Ask::kRequireGroup) return file.require_group(object), reply;
    if (what == Ask::kColumn) {
        const auto count = request.take<std::uint64_t>(), columns = request.take<std::uint64_t>();
        columns_.try_emplace(next_column_,
                             Opened{file.column(object, count, columns, request.take<H5T_class_t>()), object, index});
        return reply.put(next_column_++);
    }
    if (what == Ask::kDataSets) return reply.put_texts(file.data_sets(object));
    if (what == Ask::kShape) {
        const Shape shape = file.shape(object);
        return reply.put(shape.rows).put(shape.columns).put(shape.bytes).put(shape.kind);
    }
    const std::string name = request.take_text();
    if (what == Ask::kNumbers) {
        const auto found = file.numbers(object, name);
        reply.put_flag(found.has_value());
        return found ? reply.put_all(std::span{*found}) : reply;
    }
    const auto found = file.text(object, name);
    reply.put_flag(found.has_value());
    return found ? reply.put_text(*found) : reply;
}

Packet Server::rows(const Rows& wanted) {
    half_ = 1 - half_;
    if (ahead_ != wanted) read(wanted, half_);
    ahead_.reset();
    last_ = wanted;
    return Packet{}.put(Answer::kOk).put(static_cast<std::uint8_t>(half_));
}

void Server::read(const Rows& rows, std::size_t half) {
    const Opened& from = columns_.at(rows.column);
    files_.at(from.file).read(from.column, from.name, rows.first, rows.count, rows.type, shared_.data() + half * kHalf);
}

/// Objects open in the file would keep the library from closing it.
void Server::close(std::uint32_t file) {
    last_.reset(), ahead_.reset();
    std::erase_if(columns_, [&](const auto& column) { return column.second.file == file; });
    files_.erase(file);
}

void Server::read_ahead() {
    if (!last_) return;
    Rows next = *last_;
    last_.reset();
    const Column& column = columns_.at(next.column).column;
    next.first += next.count;
    next.count = std::min(next.count, column.rows - next.first);
    if (next.count == 0) return;
    try {
        read(next, 1 - half_);
        ahead_ = next;
    } catch (const Error&) {  // reported again when these rows are requested
    }
}

}  // namespace orrery::hdf5
