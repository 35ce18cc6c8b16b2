// SPDX-License-Identifier: MIT
#include "app/learn/lesson.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/scene/degenerate_sets.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/choices.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/physics/law.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

using LessonWords = std::vector<std::string>;

constexpr std::size_t kMostLessonBodies = 20000;  // the reference takes seconds
constexpr std::uint32_t kMostLessonRows = 4096;

std::size_t whole_argument(const LessonWords& words, std::size_t at, std::size_t most) {
    const std::optional<std::uint64_t> value = at < words.size() ? parse_count(words[at]) : std::nullopt;
    if (!value || *value < 1 || *value > most)
        usage_error(fmt::format("test {}: expected a whole number from 1 to {}{}", words[0], most,
                                at < words.size() ? fmt::format(", found '{}'", words[at]) : ""));
    return static_cast<std::size_t>(*value);
}

void require_arguments(const LessonWords& words, std::size_t count, std::string_view form) {
    if (words.size() != count) usage_error(fmt::format("expected `test = {}`", form));
}

bool computes_forces(KernelKind kind) { return kind != KernelKind::kMap; }
bool is_thread_map(KernelKind kind) { return kind == KernelKind::kMap; }

/// Positions and masses that single precision represents, so that rounding is not an error of the kernel.
Scene rounded(Scene scene) {
    for (Vec4d& body : scene.bodies.position_mass) body = convert<double>(convert<float>(body));
    return scene;
}

/// Bodies of a test by the name of their set.
Scene lesson_bodies(std::string_view set, std::size_t count) {
    if (set == "scattered") return rounded(make_preset("plummer", {.bodies = count}));
    if (set == "coincident") {
        // Pairs of bodies at one place, without softening.
        Scene scene = make_preset("plummer", {.bodies = count});
        scene.gravity.softening = 0;
        auto& bodies = scene.bodies.position_mass;
        for (std::size_t i = 0; i + 1 < bodies.size(); i += 5)
            bodies[i + 1] = {bodies[i].x, bodies[i].y, bodies[i].z, bodies[i + 1].w};
        return rounded(std::move(scene));
    }
    LessonWords ids{"scattered", "coincident"};
    for (Scene& scene : degenerate_sets(count)) {
        if (scene.id == set) return std::move(scene);
        ids.push_back(scene.id);
    }
    usage_error(fmt::format("no set of bodies '{}': there are {}", set, fmt::join(ids, ", ")));
}

std::string in_words(const Vec3d& a) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", a.x, a.y, a.z); }

/// The worst body if the RMS error exceeds the tolerance.
std::string fault_of_forces(const LessonAttempt& attempt, const Scene& scene) {
    const EngineEntry& entry = engine_of(attempt.file);
    const EngineConfig config{.engine = std::string{entry.id}, .backend = entry.backend, .kernel = attempt.file.text};
    const auto truth = reference_accelerations(Law::kPairs, scene.bodies.position_mass, scene.gravity);
    const auto found = accelerations(config, scene.bodies, scene.gravity);
    double off = 0, all = 0, worst_error = -1;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const Vec3d difference = xyz(found[i]) - xyz(truth[i]);
        const double error = dot(difference, difference);
        off += error, all += dot(xyz(truth[i]), xyz(truth[i]));
        if (!(error <= worst_error)) worst_error = error, worst = i;
    }
    const double rms = off > 0 ? std::sqrt(off / std::max(all, 1e-300)) : off;
    if (rms <= attempt.tolerance) return {};
    return fmt::format("error {:.2g}, at most {:.0e} is allowed; body {} has the acceleration {}, should have {}", rms,
                       attempt.tolerance, worst, in_words(xyz(found[worst])), in_words(xyz(truth[worst])));
}

LessonTest read_bodies(const LessonWords& words) {
    require_arguments(words, 3, "bodies COUNT SET");
    const std::size_t count = whole_argument(words, 1, kMostLessonBodies);
    const std::string set = words[2];
    lesson_bodies(set, 1);  // throws for an unknown set
    return {fmt::format("{} {}, {}", count, count == 1 ? "body" : "bodies", set), computes_forces,
            [set, count](const LessonAttempt& attempt) { return fault_of_forces(attempt, lesson_bodies(set, count)); }};
}

LessonTest read_tiles(const LessonWords& words) {
    require_arguments(words, 2, "tiles ROWS");
    const auto most = static_cast<std::uint32_t>(whole_argument(words, 1, kMostLessonRows));
    return {fmt::format("each tile has one block, up to {} rows", most), is_thread_map,
            [most](const LessonAttempt& attempt) {
                const MapVerdict verdict = judge_map(kernel_map(attempt.file), most);
                return verdict.first_wrong ? describe(verdict) : std::string{};
            }};
}

LessonTest read_waste(const LessonWords& words) {
    require_arguments(words, 3, "waste ROWS PERCENT");
    const auto rows = static_cast<std::uint32_t>(whole_argument(words, 1, kMostLessonRows));
    const std::optional<double> most = parse_real(words[2]);
    if (!most || *most < 0 || *most > 100)
        usage_error(fmt::format("test waste: expected a percentage, found '{}'", words[2]));
    return {fmt::format("at most {:g} % of the blocks for {} rows have no tile", *most, rows), is_thread_map,
            [rows, most = *most](const LessonAttempt& attempt) {
                const MapExactness found = exactness_of(kernel_map(attempt.file), rows);
                const double share = 100 * static_cast<double>(found.outside) /
                                     static_cast<double>(std::max<std::uint64_t>(1, found.launched));
                return share <= most ? std::string{}
                                     : fmt::format("{} of {} blocks have no tile: {:.3g} %", found.outside,
                                                   found.launched, share);
            }};
}

/// The code without comments.
std::string without_comments(std::string_view text) {
    std::string code;
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with("//")) {
            at = std::min(text.find('\n', at), text.size());
        } else if (text.substr(at).starts_with("/*")) {
            const std::size_t end = text.find("*/", at + 2);
            at = end == text.npos ? text.size() : end + 2;
        } else {
            code += text[at++];
        }
    }
    return code;
}

bool has_word(std::string_view code, std::string_view word) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (std::size_t at = code.find(word); at != code.npos; at = code.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !letter(code[at - 1])) && (end == code.size() || !letter(code[end]))) return true;
    }
    return false;
}

LessonTest read_word(const LessonWords& words) {
    if (words.size() < 2) usage_error("expected `test = word WORD …`");
    const LessonWords wanted{words.begin() + 1, words.end()};
    const std::string one_of = fmt::format("`{}`", fmt::join(wanted, "` or `"));
    return {fmt::format("the code uses {}", one_of), [](KernelKind) { return true; },
            [wanted, one_of](const LessonAttempt& attempt) {
                const std::string code = without_comments(attempt.file.text);
                return std::ranges::any_of(wanted, [&](const std::string& word) { return has_word(code, word); })
                           ? std::string{}
                           : fmt::format("no {} is in the code", one_of);
            }};
}

LessonTest read_per_thread(const LessonWords& words) {
    require_arguments(words, 2, "per-thread BODIES");
    const std::size_t least = whole_argument(words, 1, 64);
    return {fmt::format("a thread computes at least {} bodies", least),
            [](KernelKind kind) { return kind == KernelKind::kForces; },
            [least](const LessonAttempt& attempt) {
                const auto rows = static_cast<std::size_t>(attempt.file.rows),
                           threads = static_cast<std::size_t>(attempt.file.threads);
                return rows >= least * threads
                           ? std::string{}
                           : fmt::format("{} threads compute {} bodies: {:.3g} for a thread", threads, rows,
                                         static_cast<double>(rows) / static_cast<double>(threads));
            }};
}

struct TestReader {
    std::string_view id;
    LessonTest (*read)(const LessonWords& words);
};
constexpr auto kTestReaders = std::to_array<TestReader>({{"bodies", read_bodies},
                                                         {"tiles", read_tiles},
                                                         {"waste", read_waste},
                                                         {"word", read_word},
                                                         {"per-thread", read_per_thread}});

}  // namespace

LessonTest read_lesson_test(std::string_view text) {
    LessonWords words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) words.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    std::vector<std::string_view> ids;
    for (const TestReader& each : kTestReaders) {
        if (!words.empty() && words[0] == each.id) return each.read(words);
        ids.push_back(each.id);
    }
    usage_error(fmt::format("test: expected one of {}, found '{}'", fmt::join(ids, ", "), text));
}

}  // namespace orrery
