// SPDX-License-Identifier: MIT
#include "core/integrators/integrators.hpp"

#include <array>

#include "core/base/menu.hpp"
#include "core/integrators/compositions.hpp"
#include "core/integrators/hermite.hpp"
#include "core/integrators/leapfrog.hpp"

namespace orrery {

std::span<const IntegratorEntry> integrators() {
    static const std::array menu{leapfrog_kdk(), leapfrog_dkd(), leapfrog_block(), taylor_step(),   forest_ruth(),
                                 yoshida4(),     yoshida6(),     hermite4(),       hermite4_block()};
    return menu;
}

const IntegratorEntry& integrator(std::string_view id) { return find_in_menu(integrators(), "integrator", id); }

}  // namespace orrery
