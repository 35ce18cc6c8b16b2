// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include "core/base/backend.hpp"
#include "core/base/energy_counter.hpp"

namespace orrery {

std::string cpu_model();  ///< "AMD EPYC 9B14"; "unknown CPU" if the system does not report it
/// The device of engines on `backend`: the first CUDA device, or the CPU with its instruction set.
std::string device_name(Backend backend);
/// Energy of that device: of the GPU's board, or of all processor packages.
EnergySource open_energy_counter(Backend backend);
/// The file with the settings that `orrery bench --tune` measured on the device of a backend:
/// BACKEND-DEVICE.txt in the folder that $ORRERY_TUNING names, otherwise in $XDG_CACHE_HOME/orrery/tuning or
/// ~/.cache/orrery/tuning. Empty if ORRERY_TUNING is set to nothing, or none of the variables is set.
std::filesystem::path tuning_path(Backend backend);
/// Makes simulations use these files, see tuning_of(). A file that cannot be read is reported on stderr and not used.
void use_tuning_files();
std::string driver_version();  ///< of CUDA, "13.0"; empty without a driver

/// Mesa and the font library crash or hang when an allocation fails, so a limit of address space (ulimit -v) that is
/// too low for them is refused before they start: 560 MB, and 40 MB of stacks and arenas for each thread. Throws
/// Error{kEnvironment} with the limit that suffices.
void require_address_space_to_draw();

/// Opens a folder in the desktop's file manager with xdg-open, without waiting for it. False if xdg-open is missing or
/// cannot be started.
bool show_folder(const std::filesystem::path& folder);

/// Opens a file, a folder or a URL in the desktop's program for it, in the same way.
bool open_on_desktop(const std::string& what);
bool can_open_on_desktop();  ///< xdg-open is installed

}  // namespace orrery
