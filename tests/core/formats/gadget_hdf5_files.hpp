// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/formats.hpp"
#include "core/formats/hdf5_file.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {

/// A file of bodies of one species, valid until something is changed.
struct MadeGadgetHdf5 {
    std::vector<std::int64_t> here{0, 2, 0, 0, 0, 0}, total{0, 2, 0, 0, 0, 0};
    std::int64_t files = 1;
    std::vector<double> mass_table = std::vector<double>(6);
    std::vector<double> x{1, 2, 3, 4, 5, 6}, v{0, 0, 1, 0, 0, 2}, m{0.5, 0.25};
    std::vector<std::uint64_t> ids{7, 8};
    hid_t number = H5T_IEEE_F64LE, id_on_disk = H5T_STD_U64LE, id_in_memory = H5T_NATIVE_UINT64;
    std::set<std::string> left_out{};
    std::map<std::string, std::string> names{};  ///< names of data sets that replace Gadget's
    std::vector<std::string> also{};             ///< names of further data sets of numbers
    std::string group = "PartType1";
    std::optional<std::array<double, 3>> units;  ///< cm, g, cm/s
    const char* units_in = "Header";
    std::vector<std::pair<const char*, double>> more;  ///< further attributes of the header

    void write(const std::filesystem::path& path) const {
        hdf5::Writer file{path, 0};
        file.group("Header");
        if (!left_out.contains("NumPart_ThisFile")) file.integers("Header", "NumPart_ThisFile", here);
        if (!left_out.contains("NumPart_Total")) file.integers("Header", "NumPart_Total", total);
        file.integers("Header", "NumFilesPerSnapshot", {files});
        file.numbers("Header", "MassTable", mass_table);
        file.number("Header", "Time", 0.25);
        if (std::string_view{units_in} != "Header") file.group(units_in);
        if (units) {
            file.number(units_in, "UnitLength_in_cm", (*units)[0]);
            file.number(units_in, "UnitMass_in_g", (*units)[1]);
            file.number(units_in, "UnitVelocity_in_cm_per_s", (*units)[2]);
        }
        for (const auto& [name, value] : more) file.number("Header", name, value);
        if (left_out.contains("PartType1")) return file.commit();
        file.group(group);
        column(file, "Coordinates", 3, number, H5T_NATIVE_DOUBLE, x);
        column(file, "Velocities", 3, number, H5T_NATIVE_DOUBLE, v);
        column(file, "Masses", 1, number, H5T_NATIVE_DOUBLE, m);
        for (const std::string& name : also) column(file, name.c_str(), 1, number, H5T_NATIVE_DOUBLE, m);
        column(file, "ParticleIDs", 1, number == H5T_IEEE_F32BE ? H5T_STD_U32BE : id_on_disk, id_in_memory, ids);
        file.commit();
    }

private:
    template <class T>
    void column(hdf5::Writer& file, const char* name, std::uint64_t columns, hid_t on_disk, hid_t in_memory,
                const std::vector<T>& values) const {
        if (left_out.contains(name)) return;
        const auto other = names.find(name);
        const std::uint64_t rows = values.size() / columns;
        const hdf5::Column column =
            file.column(group + "/" + (other == names.end() ? name : other->second), rows, columns, on_disk);
        file.write(column, 0, rows, in_memory, values.data());
    }
};

class GadgetHdf5Files : public Scratch {
protected:
    // before the tests' own calls: initialised later, the library cannot shut down without closing files
    GadgetHdf5Files() { hdf5::silence_library(); }
    Scene read(const MadeGadgetHdf5& made, const char* name = "a.hdf5") const {
        made.write(path(name));
        return read_snapshot(path(name));
    }
    template <class... Words>
    void refuses(const MadeGadgetHdf5& made, Words... words) const {
        made.write(path("bad.hdf5"));
        expect_error([&] { read_snapshot(path("bad.hdf5")); }, Blame::kUsage, "bad.hdf5", words...);
    }
};

}  // namespace orrery::test
