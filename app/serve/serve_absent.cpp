// SPDX-License-Identifier: MIT
#include "app/serve/serve.hpp"
#include "core/base/error.hpp"

namespace orrery {

std::string why_no_serve() { return "this build has no libwebsockets or no libjpeg-turbo (turbojpeg)"; }

int run_serve(const ServeConfig&) { environment_error("serve: " + why_no_serve()); }

}  // namespace orrery
