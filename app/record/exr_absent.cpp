// SPDX-License-Identifier: MIT
#include "app/record/picture_files.hpp"
#include "core/base/error.hpp"

namespace orrery {

std::string why_no_exr() { return "this build has no OpenEXR (libopenexr-dev)"; }

std::vector<std::byte> exr_bytes(const std::filesystem::path& path, const Image&) {
    environment_error(path.string() + ": " + why_no_exr());
}

}  // namespace orrery
