// SPDX-License-Identifier: MIT
#include "app/window/messages.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace orrery {

void Messages::notice(const std::string& text, std::string_view topic) {
    last_ = text;
    toasts_.say(Toasts::Kind::kNotice, text, topic);
}

void Messages::failure(const std::string& text) {
    last_ = text;
    toasts_.say(Toasts::Kind::kFailure, text);
    fmt::print(stderr, "orrery: {}\n", text);
}

}  // namespace orrery
