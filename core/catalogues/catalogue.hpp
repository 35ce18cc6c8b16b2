// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

// Halo catalogues: the groups that other programs found in snapshots, at one time or at several. Merger trees are
// catalogues whose haloes name their descendants.

inline constexpr std::uint64_t kNoHaloId = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint32_t kNoHalo = std::numeric_limits<std::uint32_t>::max();  ///< in place of an index

/// kHalo: one of the largest groups; kSubhalo: a part of one.
enum class HaloKind : std::uint8_t { kHalo, kSubhalo };
std::string_view name(HaloKind kind);  ///< "halo", "subhalo"

/// A halo, in the units of its catalogue.
struct Halo {
    std::uint64_t id = kNoHaloId;          ///< as the file states it; unique among those of its kind at its time
    std::uint64_t descendant = kNoHaloId;  ///< id of its descendant at a later time; kNoHaloId: none
    std::uint64_t members = 0;             ///< number of bodies; 0: not stated
    Vec3d position, velocity;              ///< velocity: peculiar; NaN: not stated
    double mass = 0, radius = 0;           ///< NaN: not stated
    double scale_factor = 0;               ///< 0: not stated
    std::int32_t snapshot = -1;            ///< number; -1: not stated
    std::uint32_t host = kNoHalo;          ///< index of the halo that this one is a part of
    HaloKind kind = HaloKind::kHalo;
    bool main_progenitor = false;  ///< the file states that it is the main progenitor of its descendant
};

/// A unit of a catalogue: `cgs` · aᵃ · hʰ.
struct HaloUnit {
    std::string word;  ///< "Mpc/h"; empty: none is known
    double cgs = 0;    ///< 0: unknown
    double a = 0, h = 0;
};
struct HaloUnits {
    HaloUnit length, mass, velocity;
};

/// Bodies of a halo in files that store them in order of haloes: for each species the first of its bodies of that
/// species, and their number.
struct HaloRange {
    std::array<std::uint64_t, kSpeciesCount> first{}, count{};
};

/// The haloes of one time: an interval of HaloCatalogue::by_time.
struct HaloTime {
    double scale_factor = 0;     ///< 0: not stated
    std::int32_t snapshot = -1;  ///< -1: not stated
    std::size_t first = 0, count = 0;
};

/// A catalogue as read. Links are set by link_halos().
struct HaloCatalogue {
    std::string path;
    std::string_view format;        ///< id in catalogue_formats()
    std::vector<Halo> halos;        ///< in the order of the file
    std::vector<HaloRange> ranges;  ///< empty, or one per halo
    std::string member_file;        ///< with ids of members, halo by halo; empty: none
    double box = 0;                 ///< edge of the periodic box, in the unit of length; 0: not stated
    double hubble = 0;              ///< H₀ in 100 km/s/Mpc; 0: not stated
    HaloUnits units;
    bool ids_are_unique = false;     ///< over all times; otherwise within each time
    std::vector<std::string> notes;  ///< remarks of the reader for the user, one line each

    std::vector<HaloTime> times;             ///< ascending
    std::vector<std::uint32_t> by_time;      ///< indices of haloes, those of one time together
    std::vector<std::uint32_t> descendants;  ///< index of the descendant of each halo, or kNoHalo; empty: no links

    bool has_tree() const { return !descendants.empty(); }
    std::span<const std::uint32_t> at(const HaloTime& time) const {
        return std::span{by_time}.subspan(time.first, time.count);
    }
    /// The time of a halo, as an index of `times`.
    std::size_t time_of(std::size_t halo) const;
    /// The time of a snapshot with this scale factor: the nearest one; with a scale factor of 0, the only one. Empty
    /// if none is within 0.2 %.
    std::optional<std::size_t> time_at(double scale_factor) const;
};

/// Sorts the haloes by time and finds descendants and their indices. Removes haloes whose position is not finite and
/// adds a note on them; masses and radii that are not finite become NaN. Throws Error{kUsage} if none is left, and with
/// the id of a halo for descendants that lead back to it or are at an earlier time, and for ids that two haloes of one
/// time share.
void link_halos(HaloCatalogue& catalogue);

/// Appends the haloes of another catalogue of the same format, before link_halos(). Throws Error{kUsage} naming both
/// if their units or boxes differ.
void append_halos(HaloCatalogue& to, HaloCatalogue&& more);

/// A column by which haloes are listed.
struct HaloColumn {
    std::string_view id, label;
    double (*value)(const Halo& halo);  ///< NaN: not stated
    const HaloUnit* (*unit)(const HaloUnits& units);
    bool whole;  ///< whole numbers, exact below 2^53
};
std::span<const HaloColumn> halo_columns();

/// Haloes in order of a column, the largest value first unless `ascending`; those without a value come last. Equal
/// values keep their order.
void sort_halos(const HaloCatalogue& catalogue, std::span<std::uint32_t> halos, const HaloColumn& column,
                bool ascending);

/// Finds a halo at `time`, an index of HaloCatalogue::times, by `text`: its id, or "sub" and the id for a subhalo.
/// Throws Error{kUsage} if there is none.
std::uint32_t find_halo(const HaloCatalogue& catalogue, std::string_view text, std::size_t time);
/// The text by which find_halo() finds this halo.
std::string label_of(const Halo& halo);

}  // namespace orrery
