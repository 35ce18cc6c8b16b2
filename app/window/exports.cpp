// SPDX-License-Identifier: MIT
#include "app/window/exports.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/picture/format.hpp"
#include "app/record/picture_files.hpp"
#include "app/window/recording/window_recording.hpp"
#include "core/base/files.hpp"

namespace orrery {

void Exports::text(const char* what, const char* suffix, const std::string& text) {
    core_.messages.attempt([&] {
        const std::string path = name_by_time(suffix);
        OutputFile file{path};
        file.write(text);
        file.commit();
        last_text_ = std::filesystem::absolute(path).string();
        core_.messages.file(what, last_text_);
    });
}

void Exports::screenshot() {
    if (core_.state.picture.width < 1 || core_.state.picture.height < 1) return;
    picture_.read(image_);
    core_.messages.attempt([&] {
        const std::filesystem::path path = std::filesystem::absolute(name_by_time(".png"));
        write_png(path, image_);
        last_screenshot_ = path.string();
        core_.messages.file("Screenshot", last_screenshot_);
    });
}

std::string Exports::plot_title() const {
    const Status& s = core_.state.status;
    const EngineConfig& e = core_.state.requested.engine;
    return fmt::format("{}, {}: {}, {}, {}", s.scene.label, bodies_text(s.bodies), e.engine, name(e.backend),
                       name(e.precision));
}

}  // namespace orrery
