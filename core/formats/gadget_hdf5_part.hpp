// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/gadget_hdf5.hpp"
#include "core/formats/hdf5_reader.hpp"

namespace orrery::hdf5 {

/// One file of a snapshot: its header, and the number of bodies in its data sets. Programs that cut a region out of a
/// snapshot often keep the original header, so the number of rows decides; notes() reports the differences. Throws
/// Error{kUsage} if the header is missing or invalid.
class Part {
public:
    explicit Part(const std::filesystem::path& path) : Part{Reader{path}} {}
    /// Another file of the same snapshot.
    Part(const std::filesystem::path& path, const Part& beside) : Part{Reader{path, beside.file}} {}

    /// True if other files hold bodies of the same snapshot.
    bool one_of_several() const;
    /// Refuses the file unless it belongs to the same snapshot as `first` and holds as many bodies as its header
    /// states.
    void require_beside(const Part& first) const;
    /// The number of bodies in all files of the snapshot, without tracers.
    Counts all() const;
    /// Notes for the user on the numbers of bodies, one line each.
    std::vector<std::string> notes() const;

    /// Data sets of bodies that are not read, "PartType0/Density, InternalEnergy; PartType4/Metallicity"; empty if
    /// there are none.
    std::string not_read() const;

    /// Paths of the columns of a species; empty if missing.
    std::string places(std::size_t species) const { return places_[species]; }
    std::string velocities(std::size_t species) const;
    std::string masses(std::size_t species) const;
    std::string ids(std::size_t species) const;

    Reader file;
    Counts counts{};                                     ///< of bodies, in this file
    Counts totals{};                                     ///< in all files of the snapshot; some programs leave it 0
    std::array<double, kSpeciesCount> masses_of_each{};  ///< 0: not stated
    double time = 0;
    std::uint64_t files = 1;  ///< of the snapshot

private:
    explicit Part(Reader opened);
    void read_totals();
    void read_masses();
    void count_rows(std::size_t species);
    /// Reads the counts of species 0 to 5; `beyond` receives the others.
    std::optional<Counts> counts_of(const char* name, std::vector<std::uint64_t>& beyond) const;
    bool differs() const { return stated_ && *stated_ != counts; }

    std::optional<Counts> stated_;       // in NumPart_ThisFile
    std::vector<std::uint64_t> beyond_;  // bodies of species 6 and above
    std::array<bool, kSpeciesCount> tracers_{};
    std::array<std::string, kSpeciesCount> places_;
};

}  // namespace orrery::hdf5
