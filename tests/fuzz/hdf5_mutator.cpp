// SPDX-License-Identifier: MIT
#include "tests/fuzz/hdf5_mutator.hpp"

#include <hdf5.h>

#include <array>
#include <cstring>
#include <vector>

namespace orrery::test {
namespace {

/// Owns an identifier returned by H5*create or H5*open.
class Handle {
public:
    using Close = herr_t (*)(hid_t);
    Handle(hid_t id, Close close) : id_{id}, close_{close} {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }

private:
    hid_t id_;
    Close close_;
};

struct Structure {
    std::vector<std::string> objects;                             // groups and data sets, by path
    std::vector<std::pair<std::string, std::string>> attributes;  // object, name
};

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* into) {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
}

herr_t add_object(hid_t object, const char* name, const H5O_info_t*, void* into) {
    auto& structure = *static_cast<Structure*>(into);
    structure.objects.emplace_back(name);
    std::vector<std::string> names;
    const Handle one{H5Oopen(object, name, H5P_DEFAULT), H5Oclose};
    H5Aiterate2(one, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add_attribute, &names);
    for (const std::string& attribute : names) structure.attributes.emplace_back(name, attribute);
    return 0;
}

class Changes {
public:
    Changes(hid_t file, std::minstd_rand& random) : file_{file}, random_{random} {
        H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, add_object, &structure_);
    }
    void make_one() {
        const std::string object = one_of(structure_.objects), other = one_of(structure_.objects);
        switch (any(9)) {
            case 0:
                H5Ldelete(file_, object.c_str(), H5P_DEFAULT);
                break;
            case 1:
                H5Lmove(file_, object.c_str(), file_, (other + "/" + name()).c_str(), H5P_DEFAULT, H5P_DEFAULT);
                break;
            case 2:
                replace_link(object, other);
                break;
            case 3:
            case 4:
                replace_data_set(object);
                break;
            default:
                change_attribute();
        }
    }

private:
    std::size_t any(std::size_t count) { return std::uniform_int_distribution<std::size_t>{0, count - 1}(random_); }
    template <class Value>
    Value one_of(const std::vector<Value>& values) {
        return values.empty() ? Value{} : values[any(values.size())];
    }
    std::string name() {
        constexpr std::array kNames{"PartType0", "PartType1", "PartType9", "Coordinates", "Masses", "Header",
                                    "x",         "state",     "."};
        return kNames[any(kNames.size())];
    }
    /// Creates links of every kind; external ones must be refused.
    void replace_link(const std::string& object, const std::string& target) {
        H5Ldelete(file_, object.c_str(), H5P_DEFAULT);
        switch (any(4)) {
            case 0:
                H5Lcreate_hard(file_, target.c_str(), file_, object.c_str(), H5P_DEFAULT, H5P_DEFAULT);
                break;
            case 1:
                H5Lcreate_soft(("/" + target).c_str(), file_, object.c_str(), H5P_DEFAULT, H5P_DEFAULT);
                break;
            case 2:  // to itself
                H5Lcreate_soft(("/" + object).c_str(), file_, object.c_str(), H5P_DEFAULT, H5P_DEFAULT);
                break;
            default:
                H5Lcreate_external("/dev/zero", "/", file_, object.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        }
    }
    hid_t type() {
        const std::array types{H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE, H5T_IEEE_F64BE,   H5T_IEEE_F32BE,
                               H5T_NATIVE_INT8,  H5T_STD_U16BE,     H5T_NATIVE_INT32, H5T_NATIVE_UINT32,
                               H5T_NATIVE_INT64, H5T_STD_U64BE,     H5T_C_S1};
        const hid_t made = H5Tcopy(types[any(types.size())]);
        switch (any(12)) {
            case 0: {
                const hsize_t three = 3;
                const hid_t array = H5Tarray_create2(made, 1, &three);
                H5Tclose(made);
                return array;
            }
            case 1: {
                const hid_t list = H5Tvlen_create(made);
                H5Tclose(made);
                return list;
            }
            case 2: {
                const hid_t pair = H5Tcreate(H5T_COMPOUND, 2 * H5Tget_size(made));
                H5Tinsert(pair, "a", 0, made);
                H5Tinsert(pair, "b", H5Tget_size(made), made);
                H5Tclose(made);
                return pair;
            }
            default:
                return made;
        }
    }
    struct Extent {
        int rank;
        std::array<hsize_t, 4> now, most;
        hsize_t count;
    };
    Extent extent() {
        constexpr std::array<hsize_t, 8> kCounts{0, 1, 2, 3, 3, 4, 6, 17};
        Extent made{.rank = static_cast<int>(any(5)), .now = {}, .most = {}, .count = 1};
        for (int i = 0; i < made.rank; ++i) {
            made.now[i] = kCounts[any(kCounts.size())];
            made.most[i] = any(3) == 0 ? H5S_UNLIMITED : made.now[i];
            made.count *= made.now[i];
        }
        return made;
    }
    static hid_t space_of(const Extent& extent) {
        return extent.rank == 0 ? H5Screate(H5S_SCALAR)
                                : H5Screate_simple(extent.rank, extent.now.data(), extent.most.data());
    }
    /// Zeros, ones, random bits, or an extreme value repeated.
    std::vector<unsigned char> values(std::size_t bytes) {
        std::vector<unsigned char> made(bytes);
        constexpr std::array<std::uint64_t, 6> kWords{0x7ff0000000000000, 0x7fffffffffffffff, 0x8000000000000000,
                                                      0x7f8000007f800000, 0x0000000300000003, 0x3ff0000000000000};
        const std::uint64_t word = kWords[any(kWords.size())];
        const std::size_t kind = any(4);
        for (std::size_t i = 0; i < bytes; ++i) {
            if (kind == 1) made[i] = static_cast<unsigned char>(random_());
            if (kind == 2) made[i] = 0xff;
            if (kind == 3) std::memcpy(&made[i], reinterpret_cast<const char*>(&word) + i % 8, 1);
        }
        return made;
    }
    void replace_data_set(const std::string& object) {
        H5Ldelete(file_, object.c_str(), H5P_DEFAULT);
        const Handle of{type(), H5Tclose};
        const Extent size = extent();
        const Handle space{space_of(size), H5Sclose};
        const Handle storage{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
        std::array<hsize_t, 4> chunk{2, 2, 2, 2};
        switch (any(5)) {
            case 0:
                H5Pset_layout(storage, H5D_COMPACT);
                break;
            case 1:
                H5Pset_chunk(storage, size.rank, chunk.data());
                H5Pset_deflate(storage, 1);
                H5Pset_shuffle(storage);
                break;
            case 2:
                H5Pset_chunk(storage, size.rank, chunk.data());
                H5Pset_fletcher32(storage);
                break;
            case 3:
                if (any(4) == 0) H5Pset_external(storage, "/dev/zero", 0, H5F_UNLIMITED);
                break;
            default:;
        }
        const Handle made{H5Dcreate2(file_, object.c_str(), of, space, H5P_DEFAULT, storage, H5P_DEFAULT), H5Dclose};
        if (made < 0 || any(4) == 0 || H5Tget_class(of) == H5T_VLEN) return;
        const auto content = values(H5Tget_size(of) * size.count + 1);
        H5Dwrite(made, of, H5S_ALL, H5S_ALL, H5P_DEFAULT, content.data());
    }
    /// Removes an attribute, changes its type and shape, or its values.
    void change_attribute() {
        const auto [object, attribute] = one_of(structure_.attributes);
        if (attribute.empty()) return;
        const Handle owner{H5Oopen(file_, object.c_str(), H5P_DEFAULT), H5Oclose};
        if (owner < 0) return;
        if (any(2) == 0) {
            const Handle old{H5Aopen(owner, attribute.c_str(), H5P_DEFAULT), H5Aclose};
            const Handle of{H5Aget_type(old), H5Tclose};
            if (H5Tget_class(of) == H5T_VLEN || H5Tis_variable_str(of) != 0) return;
            const auto content = values(H5Aget_storage_size(old) + 16);
            H5Awrite(old, of, content.data());
            return;
        }
        H5Adelete(owner, attribute.c_str());
        if (any(3) == 0) return;
        const Handle of{type(), H5Tclose};
        const Extent size = extent();
        const Handle space{space_of(size), H5Sclose};
        const Handle made{H5Acreate2(owner, attribute.c_str(), of, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
        if (made < 0 || H5Tget_class(of) == H5T_VLEN) return;
        const auto content = values(H5Tget_size(of) * size.count + 1);
        H5Awrite(made, of, content.data());
    }

    hid_t file_;
    std::minstd_rand& random_;
    Structure structure_;
};

}  // namespace

std::string with_other_structure(const std::string& sound, std::minstd_rand& random) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
    H5Pset_fapl_core(access, 4096, false);
    H5Pset_file_image(access, const_cast<char*>(sound.data()), sound.size());
    const Handle file{H5Fopen("in memory", H5F_ACC_RDWR, access), H5Fclose};
    if (file < 0) return {};
    for (auto left = 1 + random() % 4; left > 0; --left) Changes{file, random}.make_one();
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return {};
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    if (size <= 0) return {};
    std::string image(static_cast<std::size_t>(size), '\0');
    return H5Fget_file_image(file, image.data(), image.size()) == size ? image : std::string{};
}

}  // namespace orrery::test
