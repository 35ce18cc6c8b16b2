// SPDX-License-Identifier: MIT
// Number types of HDF5, and which of them are read: whatever a file declares, bits are never misinterpreted.
#include <fcntl.h>

#include <optional>
#include <vector>

#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_reader.hpp"
#include "core/formats/hdf5_server.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using hdf5::Handle;
using hdf5::Number;

struct FloatBits {
    std::size_t size, sign, exponent, exponent_bits, mantissa, mantissa_bits;
    std::size_t bias = 127;
};

/// Starts with a size and precision in which the fields fit.
Handle float_type(const FloatBits& bits) {
    Handle type{H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    if (bits.size > 8) H5Tset_size(type.id(), bits.size), H5Tset_precision(type.id(), bits.sign + 1);
    EXPECT_GE(H5Tset_fields(type.id(), bits.sign, bits.exponent, bits.exponent_bits, bits.mantissa, bits.mantissa_bits),
              0);
    H5Tset_ebias(type.id(), bits.bias);
    EXPECT_GE(H5Tset_precision(type.id(), bits.sign + 1), 0);
    EXPECT_GE(H5Tset_size(type.id(), bits.size), 0);
    return type;
}

class Hdf5Types : public Scratch {
protected:
    Hdf5Types() { hdf5::silence_library(); }
    /// A file with the attribute "a" and the data set "d" of `rows` numbers of this type, both 0, 1, 2, …
    hdf5::Source source(hid_t type, hsize_t rows = 3) const {
        {
            const Handle file{H5Fcreate(path("t.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
            const Handle space{H5Screate_simple(1, &rows, nullptr), H5Sclose};
            const Handle set{H5Dcreate2(file.id(), "d", type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             H5Dclose};
            const Handle attribute{H5Acreate2(file.id(), "a", type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
            std::vector<double> values;
            for (hsize_t i = 0; i < rows; ++i) values.push_back(static_cast<double>(i));
            H5Dwrite(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
            H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, values.data());
        }
        return open();
    }
    hdf5::Source open() const {
        return hdf5::Source{"t.h5", Descriptor{::open(path("t.h5").c_str(), O_RDONLY | O_CLOEXEC)}};
    }
    void reads(hid_t type, H5T_class_t kind, const std::string& what) const {
        const hdf5::Source file = source(type);
        const std::vector<double> expected{0, 1, 2};
        EXPECT_EQ(file.numbers("/", "a"), expected) << what;
        std::vector<double> found(3);
        file.read(file.column("d", 3, 1, kind), "d", 0, 3, Number::kDouble, found.data());
        EXPECT_EQ(found, expected) << what;
    }
    void refuses(hid_t type, H5T_class_t kind, const std::string& what) const {
        const hdf5::Source file = source(type);
        SCOPED_TRACE(what);
        expect_error([&] { file.numbers("/", "a"); }, Blame::kUsage, "attribute a of / is not numeric");
        expect_error([&] { file.column("d", 3, 1, kind); }, Blame::kUsage, "data set d: ");
    }
};

TEST_F(Hdf5Types, IntegersOfEveryWidthAndByteOrderAreRead) {
    for (const hid_t type : {H5T_STD_I8LE, H5T_STD_I16BE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_I64BE, H5T_STD_U8BE,
                             H5T_STD_U16LE, H5T_STD_U32BE, H5T_STD_U64LE, H5T_STD_U64BE})
        reads(type, H5T_INTEGER, std::to_string(H5Tget_size(type)));
}

TEST_F(Hdf5Types, FloatsOfEveryWidthAndByteOrderAreRead) {
    for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_NATIVE_LDOUBLE})
        reads(type, H5T_FLOAT, std::to_string(H5Tget_size(type)));
}

/// IEEE half precision, bfloat16, and the types of SWIFT's lossy filters (FMantissa9, FMantissa13, DMantissa9 and
/// HalfFloat).
TEST_F(Hdf5Types, FloatsOfReducedPrecisionAreRead) {
    for (const FloatBits& bits : {FloatBits{2, 15, 10, 5, 0, 10, 15},
                                  {2, 15, 7, 8, 0, 7},
                                  {3, 17, 9, 8, 0, 9},
                                  {3, 21, 13, 8, 0, 13},
                                  {3, 20, 9, 11, 0, 9, 1023},
                                  {4, 20, 9, 11, 0, 9, 1023}})
        reads(float_type(bits).id(), H5T_FLOAT, std::to_string(bits.mantissa_bits));
}

TEST_F(Hdf5Types, TypesThatTheLibraryCannotConvertAreRefused) {
#if !H5_VERSION_GE(1, 14, 0)  // newer versions do not write it
    refuses(float_type({17, 63, 52, 11, 0, 52, 1023}).id(), H5T_FLOAT, "17 bytes");
#endif
    refuses(float_type({16, 127, 80, 32, 0, 52, 1023}).id(), H5T_FLOAT, "32 bits of exponent");
    reads(float_type({16, 127, 96, 31, 0, 52, (1u << 30) - 1}).id(), H5T_FLOAT, "31 bits of exponent");
    const Handle wide{H5Tcopy(H5T_STD_I64LE), H5Tclose};
    H5Tset_size(wide.id(), 9);
    refuses(wide.id(), H5T_INTEGER, "9 bytes");
    const Handle vax{H5Tcopy(H5T_VAX_F64), H5Tclose};
    refuses(vax.id(), H5T_FLOAT, "neither little nor big endian");
}

TEST_F(Hdf5Types, NonNumericTypesAreRefused) {
    const Handle text{H5Tcopy(H5T_C_S1), H5Tclose}, opaque{H5Tcreate(H5T_OPAQUE, 8), H5Tclose},
        pair{H5Tcreate(H5T_COMPOUND, 8), H5Tclose}, choice{H5Tenum_create(H5T_STD_I32LE), H5Tclose};
    H5Tinsert(pair.id(), "x", 0, H5T_IEEE_F32LE);
    const int zero = 0;
    H5Tenum_insert(choice.id(), "zero", &zero);
    for (const hid_t type : {text.id(), opaque.id(), pair.id(), choice.id(), H5T_STD_B32LE})
        for (const H5T_class_t kind : {H5T_FLOAT, H5T_INTEGER}) refuses(type, kind, "not a number");
    expect_error([&] { source(H5T_IEEE_F32LE).column("d", 3, 1, H5T_INTEGER); }, Blame::kUsage,
                 "data set d: expected whole numbers");
    expect_error([&] { source(H5T_STD_I32LE).column("d", 3, 1, H5T_FLOAT); }, Blame::kUsage,
                 "data set d: expected real numbers");
}

TEST_F(Hdf5Types, AnAttributeHasAtMost4096Numbers) {
    EXPECT_EQ(source(H5T_IEEE_F32LE, 4096).numbers("/", "a")->back(), 4095);
    expect_error([&] { source(H5T_IEEE_F32LE, 4097).numbers("/", "a"); }, Blame::kUsage, "is not numeric");
    EXPECT_EQ(source(H5T_IEEE_F32LE, 1).numbers("/", "a"), std::vector<double>{0});
    EXPECT_FALSE(source(H5T_IEEE_F32LE, 1).numbers("/", "b"));
    expect_error([&] { source(H5T_IEEE_F32LE, 0).numbers("/", "a"); }, Blame::kUsage, "is not numeric");
}

TEST_F(Hdf5Types, TextAttributesAreSingleFixedLengthStrings) {
    const auto written = [&](std::size_t size, hsize_t count, std::string_view value) {
        const Handle file{H5Fcreate(path("t.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
        const Handle type{H5Tcopy(H5T_C_S1), H5Tclose}, space{H5Screate_simple(1, &count, nullptr), H5Sclose};
        H5Tset_size(type.id(), size);
        const Handle attribute{H5Acreate2(file.id(), "a", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
        std::string bytes{value};
        bytes.resize(size == H5T_VARIABLE ? 64 : size * count);
        const char* pointer = bytes.c_str();
        const void* from = size == H5T_VARIABLE ? static_cast<const void*>(&pointer) : bytes.data();
        H5Awrite(attribute.id(), type.id(), from);
    };
    written(5, 1, "words");
    EXPECT_EQ(open().text("/", "a"), "words");
    EXPECT_EQ(open().text("/", "b"), std::nullopt);
    written(9, 1, "words");
    EXPECT_EQ(open().text("/", "a"), "words");
    written(57344, 1, std::string(57344, 'x'));
    EXPECT_EQ(open().text("/", "a")->size(), 57344u);
    written(57345, 1, "words");
    expect_error([&] { open().text("/", "a"); }, Blame::kUsage, "attribute a of / is not text");
    written(5, 2, "words");
    expect_error([&] { open().text("/", "a"); }, Blame::kUsage, "attribute a of / is not text");
    written(H5T_VARIABLE, 1, "words");
    expect_error([&] { open().text("/", "a"); }, Blame::kUsage, "attribute a of / is not text");
    expect_error([&] { source(H5T_STD_I32LE, 1).text("/", "a"); }, Blame::kUsage, "attribute a of / is not text");
}

TEST_F(Hdf5Types, ColumnsOfUnexpectedShapeAreRefused) {
    const auto shaped = [&](const std::vector<hsize_t>& dims) {
        {
            const Handle file{H5Fcreate(path("t.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
            const int rank = static_cast<int>(dims.size());
            const Handle space{rank > 0 ? H5Screate_simple(rank, dims.data(), nullptr) : H5Screate(H5S_SCALAR),
                               H5Sclose};
            const Handle set{
                H5Dcreate2(file.id(), "d", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                H5Dclose};
            const std::vector<double> values(64, 0.5);
            H5Dwrite(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        }
        return open();
    };
    EXPECT_NO_THROW(shaped({6}).column("d", 6, 1, H5T_FLOAT));
    EXPECT_NO_THROW(shaped({6, 1}).column("d", 6, 1, H5T_FLOAT));
    EXPECT_NO_THROW(shaped({6, 3}).column("d", 6, 3, H5T_FLOAT));
    for (const std::vector<hsize_t>& dims :
         {std::vector<hsize_t>{}, {5}, {7}, {6, 2}, {3, 6}, {18}, {6, 3, 1}, {1, 6, 3}})
        expect_error([&] { shaped(dims).column("d", 6, 3, H5T_FLOAT); }, Blame::kUsage,
                     "data set d: expected 6 × 3 numbers, found ");
    expect_error([&] { shaped({}).column("d", 1, 1, H5T_FLOAT); }, Blame::kUsage, "data set d: expected 1 × 1");
    expect_error([&] { shaped({6, 1, 1}).column("d", 6, 1, H5T_FLOAT); }, Blame::kUsage, "data set d: expected 6 × 1");
    expect_error([&] { shaped({6}).column("e", 6, 1, H5T_FLOAT); }, Blame::kUsage, "data set e is missing");
}

TEST_F(Hdf5Types, AnyRangeOfRowsIsRead) {
    const hdf5::Source file = source(H5T_IEEE_F32LE, 9);
    const hdf5::Column column = file.column("d", 9, 1, H5T_FLOAT);
    for (const std::uint64_t first : {0u, 4u, 8u}) {
        std::vector<float> found(9 - first);
        file.read(column, "d", first, 9 - first, Number::kFloat, found.data());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], static_cast<float>(first + i));
    }
    double beyond[2];
    expect_error([&] { file.read(column, "d", 8, 2, Number::kDouble, beyond); }, Blame::kUsage,
                 "data set d: rows from 8 cannot be read");
}

TEST_F(Hdf5Types, GroupsAreFoundByTheirPath) {
    {
        const Handle file{H5Fcreate(path("t.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
        for (const char* name : {"a", "a/b", "a/b/c"})
            const Handle group{H5Gcreate2(file.id(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
        H5Lcreate_soft("/a/b", file.id(), "soft", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/nowhere", file.id(), "broken", H5P_DEFAULT, H5P_DEFAULT);
    }
    const hdf5::Source file = open();
    for (const char* name : {"/", "a", "a/b", "a/b/c", "soft", "soft/c"}) {
        EXPECT_TRUE(file.has(name)) << name;
        EXPECT_NO_THROW(file.require_group(name)) << name;
    }
    for (const char* name : {"b", "a/c", "a/b/c/d", "b/c"}) {
        EXPECT_FALSE(file.has(name)) << name;
        expect_error([&] { file.require_group(name); }, Blame::kUsage, "group ", name, " is missing");
    }
    expect_error([&] { file.require_group("broken"); }, Blame::kUsage, "group broken is missing");
}

}  // namespace
}  // namespace orrery::test
