// SPDX-License-Identifier: MIT
#include "app/scene/camera_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

/// A column of the table: the range of its numbers, and the setter.
struct CameraColumn {
    std::string_view name;
    double low, high;
    void (*put)(CameraKey& key, double value);
};

constexpr double kCameraLimit = 1e12;
constexpr auto kCameraColumns = std::to_array<CameraColumn>({
    {"time", 0, 1e9, [](CameraKey& key, double v) { key.time = v; }},
    {"target_x", -kCameraLimit, kCameraLimit, [](CameraKey& key, double v) { key.pose.target.x = v; }},
    {"target_y", -kCameraLimit, kCameraLimit, [](CameraKey& key, double v) { key.pose.target.y = v; }},
    {"target_z", -kCameraLimit, kCameraLimit, [](CameraKey& key, double v) { key.pose.target.z = v; }},
    {"distance", 1e-300, kCameraLimit, [](CameraKey& key, double v) { key.pose.distance = v; }},
    {"yaw", -36000, 36000, [](CameraKey& key, double v) { key.pose.yaw = v * kCameraDegree; }},
    {"pitch", -90, 90, [](CameraKey& key, double v) { key.pose.pitch = v * kCameraDegree; }},
    {"fov", 1, 170, [](CameraKey& key, double v) { key.pose.fov = v * kCameraDegree; }},
});

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return cells;
}

}  // namespace

CameraPath parse_camera_path(std::string_view name, std::string_view text) {
    CameraPath path;
    std::vector<const CameraColumn*> columns;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trimmed(text.substr(begin, end - begin));
        begin = end + 1, ++number;
        if (line.empty() || line.front() == '#') continue;
        const auto cells = cells_of(line);
        if (columns.empty()) {
            for (const std::string_view cell : cells) {
                const auto found = std::ranges::find(kCameraColumns, cell, &CameraColumn::name);
                if (found == kCameraColumns.end() || std::ranges::find(columns, &*found) != columns.end())
                    usage_error(
                        fmt::format("{} line {}: expected columns of time, target_x, target_y, target_z, "
                                    "distance, yaw, pitch, fov, once each, found '{}'",
                                    name, number, cell));
                columns.push_back(&*found);
            }
            if (std::ranges::find(columns, kCameraColumns.data()) == columns.end())
                usage_error(fmt::format("{} line {}: expected a column time", name, number));
            continue;
        }
        if (cells.size() != columns.size())
            usage_error(
                fmt::format("{} line {}: expected {} numbers, found {}", name, number, columns.size(), cells.size()));
        CameraKey key;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            double value = 0;
            if (!read_number(cells[i], value) || !(value >= columns[i]->low && value <= columns[i]->high))
                usage_error(fmt::format("{} line {}: {}: expected a number from {:g} to {:g}, found '{}'", name, number,
                                        columns[i]->name, columns[i]->low, columns[i]->high, cells[i]));
            columns[i]->put(key, value);
        }
        path.keys.push_back(key);
    }
    if (path.keys.empty())
        usage_error(fmt::format("{}: expected a header and keyframes of a camera path, found none", name));
    if (const auto problem = path.problem()) usage_error(fmt::format("{}: {}", name, *problem));
    return path;
}

CameraPath read_camera_path(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (!file) usage_error(fmt::format("{}: cannot be read", path.string()));
    return parse_camera_path(path.string(), text);
}

}  // namespace orrery
