// SPDX-License-Identifier: MIT
// Linked in builds without an HDF5 library, in place of the files that use it.
#include "core/base/error.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/snapshot_rows.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery::hdf5 {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
    environment_error(path.string() + ": " + std::string{kWhyNot});
}

}  // namespace

const std::string_view kWhyNot =
    "this build has no HDF5: libhdf5-dev and libseccomp-dev were not both found at configuration";

const FieldReaders* const kGadgetFields = nullptr;

StatedUnits stated_units(const std::filesystem::path& path) { refuse(path); }
UnitWords words_of(const StatedUnits&) { return {}; }
Scene read_gadget(const std::filesystem::path& path) { refuse(path); }
std::unique_ptr<SnapshotRows> gadget_rows(const std::filesystem::path& path, WithIds) { refuse(path); }
SnapshotHead head_of_gadget(const std::filesystem::path& path) { refuse(path); }
void write_gadget(const Scene&, const BodyStretches&, const std::filesystem::path& path) { refuse(path); }
void write_gadget(const Scene&, const BodyStretches&, const std::filesystem::path& path, const GadgetOutput&) {
    refuse(path);
}
Scene read_checkpoint(const std::filesystem::path& path) { refuse(path); }
std::unique_ptr<SnapshotRows> checkpoint_rows(const std::filesystem::path& path, WithIds) { refuse(path); }
void write_number_table(const NumberTable&, const std::string&, const std::filesystem::path& path) { refuse(path); }
void write_checkpoint(const Scene&, const BodyStretches&, const std::filesystem::path& path) { refuse(path); }

bool is_subfind(const std::filesystem::path&) { return true; }
bool is_sublink(const std::filesystem::path&) { return false; }
HaloCatalogue read_subfind(const std::filesystem::path& path) { refuse(path); }
HaloCatalogue read_sublink(const std::filesystem::path& path) { refuse(path); }

}  // namespace orrery::hdf5

namespace orrery {

void require_checkpoints() { environment_error("no checkpoints: " + std::string{hdf5::kWhyNot}); }
void write_checkpoint(const Checkpoint&, const std::filesystem::path&) { require_checkpoints(); }
void check_checkpoint(const std::filesystem::path&) { require_checkpoints(); }
Checkpoint read_run(const std::filesystem::path&) {
    require_checkpoints();
    return {};
}

}  // namespace orrery
