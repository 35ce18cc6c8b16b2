// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>
#include <string>

#include "app/window/ui_map_parts.hpp"

namespace orrery {

nlohmann::json lab_json(const UiState& state) {
    const LabState& lab = state.lab;
    const LabSettings& chosen = lab.settings;
    std::size_t wrong = 0;
    for (const LabBar& bar : lab.bars) wrong += !bar.right;
    return {{"experiment", lab.run.experiment},
            {"rows", lab.run.table.rows.size()},
            {"done", lab.run.done},
            {"total", lab.run.total},
            {"next", lab.run.next},
            {"running", lab.run.running},
            {"cancelled", lab.run.cancelled},
            {"failure", lab.run.failure},
            {"bars", lab.bars.size()},
            {"wrong", wrong},
            {"panels", lab.panels.size()},
            {"form", lab.form},
            {"picture", lab.picture ? std::string{lab.picture->map()} : ""},
            {"export", lab.last_export},
            {"chosen",
             {{"experiment", chosen.experiment},
              {"backend", std::string{name(chosen.backend)}},
              {"maps", chosen.maps},
              {"roots", chosen.roots},
              {"rho", chosen.rho},
              {"from", chosen.from},
              {"to", chosen.to},
              {"step", chosen.step},
              {"repeat", chosen.repeat},
              {"pause_bodies", chosen.pause_bodies}}}};
}

nlohmann::json gallery_json(const GalleryState& gallery) {
    return {{"on", gallery.on},
            {"page", std::string{gallery.page}},
            {"search", gallery.search},
            {"at_start", gallery.at_start},
            {"folder", gallery.folder},
            {"files", gallery.files.size()},
            {"snapshots", gallery.snapshots},
            {"recent", gallery.recent.size()}};
}

}  // namespace orrery
