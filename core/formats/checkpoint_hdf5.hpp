// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/standard_streams.hpp"
#include "core/bodies/bodies.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_reader.hpp"

namespace orrery::hdf5 {

// Shared by the readers and writers of checkpoints: the header block before the HDF5 part, columns in chunks, and the
// scene part of a checkpoint.

/// Checks version, size and checksum, so that the library only reads files written by Orrery. Throws Error{kUsage}.
void check_whole(const std::filesystem::path& path);
/// Closes the file, writes version, size and checksum into its header block, flushes it to disk and renames it. Scenes
/// that use gravity alone keep the version that earlier programs read.
void seal(Writer& file, const Scene& scene);
/// True if a program that supports only gravity would compute something else.
bool needs_law(const Scene& scene);
/// True if the scene has an encounter rule or pinned bodies.
bool needs_encounters(const Scene& scene);

/// Writes everything of a scene except positions and velocities, for `bodies` bodies with the labels of the scene.
void write_scene(Writer& file, const Scene& scene, std::size_t bodies);
/// Reads a whole scene. `with_state`: velocities have a fourth, unused column.
Scene read_scene(const Reader& file, bool with_state);

/// Calls f(first, count) for chunks of rows, with a progress bar if there are many.
template <class F>
void for_chunks(const char* doing, std::uint64_t rows, F f) {
    FileProgress progress{doing, rows, sizeof(Vec4d)};
    for (std::uint64_t first = 0; first < rows; first += kRows) {
        const std::uint64_t count = std::min(kRows, rows - first);
        f(first, count);
        progress.add(count);
    }
}

template <class T>
void write_column(Writer& file, const char* name, const std::vector<T>& from, std::uint64_t columns, hid_t type) {
    const Column column = file.column(name, from.size(), columns, type);
    for_chunks("writing", from.size(), [&](std::uint64_t first, std::uint64_t count) {
        file.write(column, first, count, type, from.data() + first);
    });
}

template <class T>
void read_column(const Reader& file, const char* name, std::uint64_t rows, std::uint64_t columns, Number type,
                 std::vector<T>& into) {
    const bool real = type == Number::kDouble || type == Number::kFloat;
    const ReadColumn column = file.column(name, rows, columns, real ? H5T_FLOAT : H5T_INTEGER);
    into.reserve(static_cast<std::size_t>(rows));
    for_chunks("reading", rows, [&](std::uint64_t first, std::uint64_t count) {
        into.resize(static_cast<std::size_t>(first + count));
        file.read(column, first, count, type, into.data() + first);
    });
}

}  // namespace orrery::hdf5
