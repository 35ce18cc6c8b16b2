// SPDX-License-Identifier: MIT
#include "core/ranks/ranks.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace orrery {

void throw_on_all(Ranks& ranks, const std::optional<Error>& own) {
    struct Refusal {
        std::size_t length;
        Blame blame;
        bool refused;
    };
    std::vector<Refusal> all(static_cast<std::size_t>(ranks.count()));
    std::string text = own ? own->what() : "";
    all[static_cast<std::size_t>(ranks.rank())] = {text.size(), own ? own->blame() : Blame::kUsage, own.has_value()};
    gather_parts(ranks, std::span{all}, all.size(), 1);
    const auto first = std::ranges::find(all, true, &Refusal::refused);
    if (first == all.end()) return;
    text.resize(first->length);
    ranks.broadcast(std::as_writable_bytes(std::span{text}), static_cast<int>(first - all.begin()));
    throw Error{first->blame, text};
}

}  // namespace orrery
