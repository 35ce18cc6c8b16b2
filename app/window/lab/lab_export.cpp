// SPDX-License-Identifier: MIT
#include "app/window/lab/lab_export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/lab_rows.hpp"
#include "app/platform/machine.hpp"
#include "app/record/picture_files.hpp"
#include "app/window/recording/window_recording.hpp"
#include "core/base/files.hpp"

namespace orrery {
namespace {

std::filesystem::path path_for(const LabRun& run, std::string_view extension) {
    return std::filesystem::absolute(name_by_time(fmt::format("-lab-{}{}", run.experiment, extension)));
}

std::filesystem::path write(const std::filesystem::path& path, const std::string& text) {
    OutputFile file{path};
    file.write(text);
    file.commit();
    return path;
}

}  // namespace

std::filesystem::path export_lab_csv(const LabRun& run) {
    Json rows = Json::array();
    for (const auto& row : run.table.rows)
        rows.push_back(lab_row(run.experiment, run.config.backend, run.table.columns, row));
    return write(path_for(run, ".csv"), to_csv(rows));
}

std::filesystem::path export_lab_svg(const LabState& lab) {
    return write(path_for(lab.run, ".svg"), lab_figure(lab.panels, device_name(lab.run.config.backend)));
}

std::filesystem::path export_lab_png(const LabRun& run, const Image& window, const Rectangle& part) {
    const int left = std::clamp(static_cast<int>(part.x0), 0, window.width);
    const int right = std::clamp(static_cast<int>(part.x1), left, window.width);
    const int top = std::clamp(static_cast<int>(part.y0), 0, window.height);
    const int bottom = std::clamp(static_cast<int>(part.y1), top, window.height);
    Image image{right - left, bottom - top, {}};
    for (int y = top; y < bottom; ++y)
        image.rgba.insert(image.rgba.end(), window.row(y) + 4 * left, window.row(y) + 4 * right);
    const std::filesystem::path path = path_for(run, ".png");
    write_png(path, image);
    return path;
}

}  // namespace orrery
