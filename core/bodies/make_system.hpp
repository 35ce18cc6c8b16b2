// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/bodies/body_system.hpp"
#include "core/engines/any_engine.hpp"
#include "core/physics/law.hpp"

namespace orrery {

// One per memory space; make_body_system() chooses by the engine's backend.
std::unique_ptr<BodySystem> make_host_system(AnyEngine engine, const EngineConfig& config, Law law,
                                             const Bodies& bodies);
std::unique_ptr<BodySystem> make_device_system(AnyEngine engine, Law law, const Bodies& bodies, Urgency urgency);

}  // namespace orrery
