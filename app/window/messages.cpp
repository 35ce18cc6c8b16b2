// SPDX-License-Identifier: MIT
#include "app/window/messages.hpp"

#include "app/ui/words.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {

void Messages::notice(const std::string& text, std::string_view topic) {
    last_ = text;
    toasts_.say(Toasts::Kind::kNotice, std::string{if_known(text)}, topic);
}

void Messages::file(const std::string& what, const std::string& path) {
    last_ = what + ": " + path;
    toasts_.say(Toasts::Kind::kNotice, last_, {}, path);
}

void Messages::failure(const std::string& text) {
    last_ = text;
    toasts_.say(Toasts::Kind::kFailure, text);
    to_stderr("orrery: {}\n", text);
}

}  // namespace orrery
