// SPDX-License-Identifier: MIT
// Small catalogues and snapshots of each format, with haloes whose values are known.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/hdf5_file.hpp"

namespace orrery::test {

/// Columns of Rockstar's out_N.list; the fields in braces are id, desc, mass, radius in kpc/h, x, y, z.
inline std::string rockstar_text(double a, const std::vector<std::string>& rows) {
    std::string text = "#ID DescID Mvir Vmax Vrms Rvir Rs Np X Y Z VX VY VZ\n#a = " + std::to_string(a) +
                       "\n#Om = 0.3; Ol = 0.7; h = 0.7\n#Box size: 10.000000 Mpc/h\n#Units: Masses in Msun / h\n";
    for (const std::string& row : rows) text += row + '\n';
    return text;
}

/// A tree of Consistent-trees: rows of scale, id, desc_scale, desc_id, pid, mmp?, mvir, rvir, x, y, z.
inline std::string consistent_text(const std::vector<std::string>& rows) {
    std::string text =
        "#scale(0) id(1) desc_scale(2) desc_id(3) pid(4) mmp?(5) mvir(6) rvir(7) x(8) y(9) z(10)\n#Omega_M = 0.3; "
        "Omega_L = 0.7; h0 = 0.7\n#Full box size = 10.000000 Mpc/h\n1\n#tree 1\n";
    for (const std::string& row : rows) text += row + '\n';
    return text;
}

/// Two haloes of mass 2e12 and 1e12 M☉/h, at (1, 2, 3) and (9.9, 5, 5) Mpc/h, radii 200 and 100 kpc/h, 40 and 20
/// members, ids 7 and 8, at a = 0.5.
inline std::filesystem::path two_in_ahf(const std::filesystem::path& folder) {
    const auto path = folder / "run.0010.z1.000.AHF_halos";
    std::ofstream{path} << "#ID(1)\thostHalo(2)\tnumSubStruct(3)\tMhalo(4)\tnpart(5)\tXc(6)\tYc(7)\tZc(8)\tVXc(9)\t"
                           "VYc(10)\tVZc(11)\tRhalo(12)\n"
                           "7\t0\t0\t2e12\t40\t1000\t2000\t3000\t10\t20\t30\t200\n"
                           "8\t7\t0\t1e12\t20\t9900\t5000\t5000\t0\t0\t0\t100\n";
    std::ofstream particles{folder / "run.0010.z1.000.AHF_particles"};
    particles << "2\n2\t7\n101\t1\n103\t1\n1\t8\n104\t1\n";
    return path;
}
inline std::filesystem::path two_in_rockstar(const std::filesystem::path& folder) {
    const auto path = folder / "out_10.list";
    std::ofstream{path} << rockstar_text(
        0.5, {"7 -1 2e12 0 0 200 0 40 1 2 3 10 20 30", "8 -1 1e12 0 0 100 0 20 9.9 5 5 0 0 0"});
    return path;
}
inline std::filesystem::path two_in_consistent(const std::filesystem::path& folder) {
    const auto path = folder / "hlist_0.50000.list";
    std::ofstream{path} << consistent_text({"0.5 7 0 -1 -1 1 2e12 200 1 2 3", "0.5 8 0 -1 7 1 1e12 100 9.9 5 5"});
    return path;
}

/// Writes data sets of doubles and of whole numbers.
class CatalogueFile {
public:
    explicit CatalogueFile(const std::filesystem::path& path) : file_{path, 0} { hdf5::silence_library(); }
    hdf5::Writer& file() { return file_; }
    void reals(const std::string& name, const std::vector<double>& values, std::uint64_t columns = 1) {
        const auto column = file_.column(name, values.size() / columns, columns, H5T_IEEE_F64LE);
        file_.write(column, 0, values.size() / columns, H5T_NATIVE_DOUBLE, values.data());
    }
    void wholes(const std::string& name, const std::vector<std::int64_t>& values, std::uint64_t columns = 1) {
        const auto column = file_.column(name, values.size() / columns, columns, H5T_STD_I64LE);
        file_.write(column, 0, values.size() / columns, H5T_NATIVE_INT64, values.data());
    }
    void units(const std::string& group) {
        file_.number(group, "UnitLength_in_cm", 3.0857e24);
        file_.number(group, "UnitMass_in_g", 1.989e43);
        file_.number(group, "UnitVelocity_in_cm_per_s", 1e5);
        file_.number(group, "HubbleParam", 0.7);
    }
    void commit() { file_.commit(); }

private:
    hdf5::Writer file_;
};

/// The same two, the first as a group and the second as its subhalo; members: bodies 0 and 2 of the species halo in
/// the group, body 2 in the subhalo.
inline std::filesystem::path two_in_subfind(const std::filesystem::path& folder, double a = 0.5,
                                            std::int64_t first_member = 0) {
    const auto path = folder / "fof_subhalo_tab_010.hdf5";
    CatalogueFile made{path};
    made.file().group("Header");
    for (const auto& [name, value] : {std::pair{"Ngroups_ThisFile", 1},
                                      {"Ngroups_Total", 1},
                                      {"Nsubhalos_ThisFile", 1},
                                      {"Nsubhalos_Total", 1},
                                      {"NumFiles", 1}})
        made.file().integers("Header", name, {value});
    made.file().number("Header", "Time", a);
    made.file().number("Header", "Redshift", 1 / a - 1);
    made.file().number("Header", "BoxSize", 10);
    made.file().group("Parameters");
    made.units("Parameters");
    made.file().group("Group");
    made.reals("Group/GroupPos", {1, 2, 3}, 3);
    made.reals("Group/GroupVel", {10, 20, 30}, 3);
    made.reals("Group/GroupMass", {200});
    made.reals("Group/Group_R_Crit200", {0.2});
    made.wholes("Group/GroupLen", {40});
    made.wholes("Group/GroupLenType", {0, 3, 0, 0, 0, 0}, 6);
    made.wholes("Group/GroupOffsetType", {0, first_member, 0, 0, 0, 0}, 6);
    made.file().group("Subhalo");
    made.reals("Subhalo/SubhaloPos", {9.9, 5, 5}, 3);
    made.reals("Subhalo/SubhaloMass", {100});
    made.reals("Subhalo/SubhaloHalfmassRad", {0.1});
    made.wholes("Subhalo/SubhaloLen", {20});
    made.wholes("Subhalo/SubhaloLenType", {0, 1, 0, 0, 0, 0}, 6);
    made.wholes("Subhalo/SubhaloGroupNr", {0});
    made.commit();
    return path;
}
inline std::filesystem::path two_in_sublink(const std::filesystem::path& folder) {
    const auto path = folder / "tree_extended.0.hdf5";
    CatalogueFile made{path};
    made.wholes("SubhaloID", {7, 8});
    made.wholes("DescendantID", {-1, 7});
    made.wholes("FirstProgenitorID", {8, -1});
    made.wholes("SnapNum", {99, 98});
    made.wholes("SubhaloLen", {40, 20});
    made.reals("SubhaloPos", {1000, 2000, 3000, 9900, 5000, 5000}, 3);
    made.reals("SubhaloVel", {10, 20, 30, 0, 0, 0}, 3);
    made.reals("SubhaloMass", {200, 100});
    made.reals("SubhaloHalfmassRad", {200, 100});
    made.commit();
    return path;
}

/// A snapshot of Gadget at a = 0.5 with four bodies, ids 101 to 104, in a box of 10 Mpc/h; lengths in `length` cm.
inline std::filesystem::path snapshot_of_four(const std::filesystem::path& folder, double length = 3.0857e24,
                                              double box = 10, double a = 0.5) {
    const auto path = folder / "snap_010.hdf5";
    const double in = 3.0857e24 / length;
    CatalogueFile made{path};
    made.file().group("Header");
    for (const char* name : {"NumPart_ThisFile", "NumPart_Total"})
        made.file().integers("Header", name, {0, 4, 0, 0, 0, 0});
    made.file().integers("Header", "NumFilesPerSnapshot", {1});
    made.file().numbers("Header", "MassTable", std::vector<double>(6));
    made.file().number("Header", "Time", a);
    made.file().number("Header", "Redshift", 1 / a - 1);
    made.file().number("Header", "Omega0", 0.3);
    made.file().number("Header", "BoxSize", box);
    made.file().number("Header", "UnitLength_in_cm", length);
    made.file().number("Header", "UnitMass_in_g", 1.989e43);
    made.file().number("Header", "UnitVelocity_in_cm_per_s", 1e5);
    made.file().number("Header", "HubbleParam", 0.7);
    made.file().group("PartType1");
    std::vector<double> places{1, 2, 3, 0.05, 5, 5, 1.1, 2, 3, 9.9, 9.9, 9.9};
    for (double& x : places) x *= in;
    made.reals("PartType1/Coordinates", places, 3);
    made.reals("PartType1/Velocities", std::vector<double>(12), 3);
    made.reals("PartType1/Masses", {50, 50, 50, 50});
    made.wholes("PartType1/ParticleIDs", {101, 102, 103, 104});
    made.commit();
    return path;
}

}  // namespace orrery::test
