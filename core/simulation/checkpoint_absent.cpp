// SPDX-License-Identifier: MIT
// Replaces checkpoint_hdf5.cpp in builds without HDF5.
#include "core/base/error.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {

void require_checkpoints() { environment_error("no checkpoints: " + std::string{hdf5::kWhyNot}); }
void write_checkpoint(const Checkpoint&, const std::filesystem::path&) { require_checkpoints(); }
void check_checkpoint(const std::filesystem::path&) { require_checkpoints(); }
Checkpoint read_run(const std::filesystem::path&) {
    require_checkpoints();
    return {};
}

}  // namespace orrery
