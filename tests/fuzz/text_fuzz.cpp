// SPDX-License-Identifier: MIT
// Passes arbitrary text to the reader of scenes (with their camera paths), of sessions or of the window's settings: it
// is read, or refused by an Error{Blame::kUsage} of one line, and a scene survives writing and reading unchanged. Half
// of the changes are those of libFuzzer; the others operate on lines and on existing keys and values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene_file.hpp"
#include "app/scene/scene_keys.hpp"
#include "app/scene/session.hpp"
#include "app/window/user_settings.hpp"
#include "core/base/error.hpp"
#include "tests/fuzz/memory_file.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr std::string_view kReader = ORRERY_FUZZ_READER;

/// Values of each type, ordinary and extreme.
constexpr std::string_view kValues[] = {"true",
                                        "false",
                                        "0",
                                        "-0",
                                        "1",
                                        "-1",
                                        "2",
                                        "1000000000000",
                                        "9223372036854775807",
                                        "0.5",
                                        "1e300",
                                        "-1e-320",
                                        "nan",
                                        "inf",
                                        "-inf",
                                        "\"\"",
                                        "\"auto\"",
                                        "\"plummer\"",
                                        "\"tree\"",
                                        "\"cpu\"",
                                        "\"10 Myr\"",
                                        "\"\\u0000\"",
                                        "[]",
                                        "[0, 0, 0]",
                                        "[1e300, -0.0, nan]",
                                        "[[0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]]",
                                        "{}",
                                        "{ time = 0, target = [0, 0, 0] }",
                                        "2026-11-22T00:00:00Z",
                                        "0x7f",
                                        "1_000"};

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

/// Inserts, removes or moves a line, or changes its value.
std::string with_other_lines(std::string_view text, std::minstd_rand& random) {
    const auto any = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>{0, count - 1}(random);
    };
    std::vector<std::string_view> lines = lines_of(text);
    if (lines.empty()) lines.emplace_back();
    const auto at = lines.begin() + static_cast<std::ptrdiff_t>(any(lines.size()));
    std::string made;
    switch (any(6)) {
        case 0:
            lines.erase(at);
            break;
        case 1:
            lines.insert(at, std::string_view{*at});
            break;
        case 2:
            std::iter_swap(at, lines.begin() + static_cast<std::ptrdiff_t>(any(lines.size())));
            break;
        case 3: {
            const auto keys = orrery::scene_keys();
            const orrery::SceneKey& key = keys[any(keys.size())];
            made = fmt::format("[{}]\n{} = {}", key.section, key.name, kValues[any(std::size(kValues))]);
            lines.insert(at, made);
            break;
        }
        default: {
            const std::size_t equals = at->find('=');
            made = fmt::format("{} = {}", at->substr(0, equals), kValues[any(std::size(kValues))]);
            if (equals != std::string_view::npos) *at = made;
        }
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

[[noreturn]] void found(std::string_view what, std::string_view text) {
    fmt::print(stderr, "found: {}\n{}\n", what, text);
    std::abort();
}

/// Writing, reading and writing again must give the same text. Texts are compared instead of values, since NaN is not
/// equal to itself.
void read_scene(std::string_view text) {
    const orrery::SceneFile scene = orrery::parse_scene(text, "fuzz", "/");
    const std::string once = orrery::scene_text(scene, "/");
    std::string again;
    try {
        again = orrery::scene_text(orrery::parse_scene(once, "written", "/"), "/");
    } catch (const orrery::Error& error) {
        found(error.what(), once);
    }
    if (again != once) found("a scene changes when written and read again", once + "\n---\n" + again);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    std::minstd_rand random{seed};
    if (random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
    const std::string text = with_other_lines({reinterpret_cast<const char*>(data), size}, random);
    const std::size_t taken = std::min(text.size(), most);
    std::copy_n(text.begin(), taken, data);
    return taken;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    try {
        if (kReader == "scene") {
            read_scene(text);
        } else {
            const orrery::test::MemoryFile file{data, size};
            if (kReader == "session")
                orrery::read_session(file.path());
            else
                for (const std::string& problem : orrery::read_user_settings(file.path()).problems)
                    if (problem.find('\n') != std::string::npos) found("a problem message of several lines", problem);
        }
    } catch (const orrery::Error& error) {
        if (error.blame() != orrery::Blame::kUsage) found(error.what(), "not kUsage");
        if (std::string_view{error.what()}.find('\n') != std::string_view::npos) found("several lines", error.what());
    }
    return 0;
}
