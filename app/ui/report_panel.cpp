// SPDX-License-Identifier: MIT
#include "app/ui/panels.hpp"

namespace orrery {

void report_panel(Widgets& ui, const UiState& state, Wishes& wishes) {
    for (const ReportLine& line : state.report) ui.value(line.what, line.found);
    if (ui.button("Help", "All keys. Key H", -1)) wishes.ask(Command::kHelp);
}

}  // namespace orrery
