// SPDX-License-Identifier: MIT
#include "app/window/messages.hpp"

#include <filesystem>

#include "app/platform/machine.hpp"
#include "app/ui/words.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {

void Messages::notice(const std::string& text, std::string_view topic) {
    last_ = as_read(text);
    toasts_.say(Toasts::Kind::kNotice, std::string{if_known(last_)}, topic);
}

void Messages::file(const std::string& what, const std::string& path, Toasts::FileUse use) {
    const bool elsewhere = readable_ != nullptr;
    last_ = std::string{if_known(what)} + ": " +
            verbatim(elsewhere ? std::filesystem::path{path}.filename().string() : path);
    const bool plays = use == Toasts::FileUse::kPlay && can_open_on_desktop();
    toasts_.say(Toasts::Kind::kNotice, last_, {}, elsewhere ? std::string{} : path,
                plays ? Toasts::FileUse::kPlay : Toasts::FileUse::kShow);
}

void Messages::failure(const std::string& text) {
    last_ = as_read(text);
    toasts_.say(Toasts::Kind::kFailure, verbatim(last_));  // errors are in English, as on the command line
    to_stderr("orrery: {}\n", text);
}

}  // namespace orrery
