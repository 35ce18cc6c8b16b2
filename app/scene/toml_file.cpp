// SPDX-License-Identifier: MIT
#include "app/scene/toml_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

namespace orrery {
namespace {

/// TOML files are written by hand: a larger one is a mistake.
constexpr std::size_t kLargest = 64u << 20;
/// Limits on parts of a dotted key and on nested arrays and tables: far above those of our files. Together they bound
/// the depth of the tables.
constexpr int kMostDots = 32, kMostBrackets = 32;

/// Scans a text by TOML's grammar, as far as strings, comments, brackets and dots are concerned. The parser stops at
/// the first error, so the scan after it does not matter.
class DepthCheck {
public:
    DepthCheck(std::string_view text, const std::string& name) : rest_{text}, name_{name} {}

    void run() {
        while (!rest_.empty()) {
            const char c = rest_.front();
            if (c == '"' || c == '\'')
                skip_string(c);
            else if (c == '#')
                skip_to(rest_.find('\n'));
            else
                take(c);
        }
    }

private:
    void take(char c) {
        rest_.remove_prefix(1);
        if (c == '\n') ++line_;
        if (c == '[' || c == '{') limit(++brackets_, kMostBrackets, "nested arrays or tables");
        if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
        if (c == '.')
            limit(++dots_, kMostDots, "parts of a key");
        else if (c == '\n' || c == '=' || c == ',' || c == '[' || c == '{')
            dots_ = 0;
    }

    void limit(int found, int most, std::string_view what) const {
        if (found > most) usage_error(fmt::format("{}:{}: more than {} {}", name_, line_, most, what));
    }

    void skip_to(std::size_t position) { rest_.remove_prefix(std::min(position, rest_.size())); }

    void skip_string(char quote) {
        const bool escapes = quote == '"';
        const std::string three(3, quote);
        const bool lines = rest_.starts_with(three);
        skip_to(lines ? 3 : 1);
        while (!rest_.empty()) {
            const char c = rest_.front();
            if (c == '\n' && !lines) return;  // not closed
            if (lines ? rest_.starts_with(three) : c == quote) {
                skip_to(lines ? 3 : 1);
                while (lines && rest_.starts_with(quote)) skip_to(1);  // up to two more quotes belong to the string
                return;
            }
            if (c == '\n') ++line_;
            // An escaped end of line counts as a line, too.
            skip_to(escapes && c == '\\' && rest_.size() > 1 && rest_[1] != '\n' ? 2 : 1);
        }
    }

    std::string_view rest_;
    const std::string& name_;
    int line_ = 1, brackets_ = 0, dots_ = 0;
};

}  // namespace

std::string text_of_file(const std::filesystem::path& path) {
    const auto fail = [&](Blame blame) {
        throw Error{blame, fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno))};
    };
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};  // must not block on a FIFO
    if (!file) fail(Blame::kUsage);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) fail(Blame::kEnvironment);
    if (!S_ISREG(status.st_mode)) usage_error(fmt::format("{}: is not a regular file", path.string()));
    const auto large = [&](std::uintmax_t bytes) {
        if (bytes > kLargest) usage_error(fmt::format("{}: {} bytes are too large for TOML", path.string(), bytes));
    };
    large(static_cast<std::uintmax_t>(status.st_size));
    std::string text;
    char part[1 << 16];
    for (ssize_t got; (got = ::read(file.get(), part, sizeof part)) != 0;) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(Blame::kEnvironment);
        text.append(part, static_cast<std::size_t>(got));
        large(text.size());  // it may grow, and some files report no size
    }
    return text;
}

toml::table parsed_toml(std::string_view text, const std::string& name) {
    DepthCheck{text, name}.run();
    try {
        return toml::parse(text, std::string_view{name});
    } catch (const toml::parse_error& error) {
        const auto& at = error.source().begin;
        usage_error(fmt::format("{}:{}:{}: not valid TOML: {}", name, at.line, at.column, error.description()));
    }
}

}  // namespace orrery
