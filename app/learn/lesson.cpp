// SPDX-License-Identifier: MIT
#include "app/learn/lesson.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "assets/assets.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

/// In the order of the course.
constexpr auto kLessonIds = std::to_array<std::string_view>(
    {"naive", "tile", "registers", "rsqrt", "bounding-box", "lambda", "reactions", "opening"});

constexpr auto kDeviceKinds = std::to_array<std::string_view>({"cpu", "cuda", "gl", "software"});

std::string_view stripped_of_blanks(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Reads a lesson line by line.
class LessonReader {
public:
    LessonReader(std::string_view text, const std::filesystem::path& path) : text_{text}, path_{path} {
        lesson_.id = path.stem().string();
    }

    Lesson read() {
        bool head = false, code = false;
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', at), text_.size());
            const std::string_view line = text_.substr(at, end - at);
            at = end + 1, ++line_;
            if (line_ == 1 && stripped_of_blanks(line) == "---") {
                head = true;
            } else if (head) {
                if (stripped_of_blanks(line) == "---")
                    head = false;
                else
                    take_key(line);
            } else if (line.starts_with("```")) {
                code = !code;
                take_fence(line, code);
            } else if (!code && line.starts_with("## ")) {
                begin_section(stripped_of_blanks(line.substr(3)));
            } else {
                part_ += std::string{line} + '\n';
            }
        }
        end_section();
        require_whole();
        return std::move(lesson_);
    }

private:
    enum class Section { kText, kStart, kSolution, kMistake, kHint };

    [[noreturn]] void fail(int line, const std::string& what) const {
        usage_error(fmt::format("{}:{}: {}", path_.string(), line, what));
    }

    void take_key(std::string_view line) {
        if (stripped_of_blanks(line).empty()) return;
        const std::size_t equals = line.find('=');
        if (equals == line.npos) fail(line_, fmt::format("expected `key = value`, found '{}'", line));
        const std::string_view key = stripped_of_blanks(line.substr(0, equals)),
                               value = stripped_of_blanks(line.substr(equals + 1));
        if (key == "title") {
            lesson_.title = value;
        } else if (key == "tolerance") {
            lesson_.tolerance = positive(value);
        } else if (key == "test") {
            try {
                lesson_.tests.push_back(read_lesson_test(value));
            } catch (const Error& error) {
                fail(line_, error.what());
            }
        } else if (key == "against") {
            if (value != "start" && value != "engine")
                fail(line_, fmt::format("against: expected engine or start, found '{}'", value));
            lesson_.against_start = value == "start";
        } else if (key.starts_with("target ")) {
            const std::string kind{stripped_of_blanks(key.substr(7))};
            if (std::ranges::find(kDeviceKinds, kind) == kDeviceKinds.end())
                fail(line_, fmt::format("target: expected one of {}, found '{}'", fmt::join(kDeviceKinds, ", "), kind));
            lesson_.targets[kind] = positive(value);
        } else {
            fail(line_,
                 fmt::format("unknown key '{}'; there are title, tolerance, test, against and target DEVICE", key));
        }
    }

    double positive(std::string_view text) const {
        const std::optional<double> value = parse_real(text);
        if (!value || !(*value > 0)) fail(line_, fmt::format("expected a number above 0, found '{}'", text));
        return *value;
    }

    /// A fence is part of a text; elsewhere it encloses the kernel of the section.
    void take_fence(std::string_view line, bool opens) {
        if (section_ == Section::kText || section_ == Section::kHint) {
            part_ += std::string{line} + '\n';
        } else if (opens) {
            if (kernel_line_ != 0) fail(line_, "a section has one kernel");
            part_.clear(), kernel_line_ = line_ + 1;
        } else {
            kernel_ = std::move(part_), part_.clear();
        }
    }

    void begin_section(std::string_view heading) {
        end_section();
        const std::size_t colon = heading.find(':');
        const std::string_view word = stripped_of_blanks(heading.substr(0, colon));
        failure_ = colon == heading.npos ? "" : stripped_of_blanks(heading.substr(colon + 1));
        if (word == "Start")
            section_ = Section::kStart;
        else if (word == "Solution")
            section_ = Section::kSolution;
        else if (word == "Mistake")
            section_ = Section::kMistake;
        else if (word == "Hint")
            section_ = Section::kHint;
        else
            fail(line_, fmt::format("expected a section Start, Hint, Solution or Mistake, found '{}'", heading));
        const bool fails = section_ == Section::kStart || section_ == Section::kMistake;
        if (fails && failure_.empty()) fail(line_, fmt::format("expected `## {}: part of the message`", word));
        section_line_ = line_;
    }

    void end_section() {
        const std::string part{stripped_of_blanks(part_)};
        part_.clear();
        if (section_ == Section::kText) {
            lesson_.text = part;
        } else if (section_ == Section::kHint) {
            lesson_.hints.push_back(part);
        } else {
            if (kernel_line_ == 0) fail(section_line_, "a section of a kernel has a block of code between ``` lines");
            take_kernel();
        }
        kernel_line_ = 0;
    }

    void take_kernel() {
        KernelFile file;
        try {
            file = parse_kernel(kernel_, lesson_.id);
        } catch (const Error& error) {
            fail(kernel_line_, error.what());
        }
        if (!lesson_.starts.empty() && file.kind != lesson_.starts.front().file.kind)
            fail(kernel_line_, fmt::format("all kernels of a lesson have one kind; this is {}", name(file.kind)));
        auto& kernels = section_ == Section::kStart      ? lesson_.starts
                        : section_ == Section::kSolution ? lesson_.solutions
                                                         : lesson_.mistakes;
        kernels.push_back({std::move(file), std::string{failure_}});
    }

    void require_whole() const {
        const auto require = [this](bool given, std::string_view what) {
            if (!given) fail(line_, fmt::format("a lesson has {}", what));
        };
        require(!lesson_.title.empty(), "a line `title = …` in its head");
        require(!lesson_.text.empty(), "a text");
        require(!lesson_.tests.empty(), "a line `test = …` in its head");
        require(!lesson_.starts.empty(), "a section Start");
        require(!lesson_.mistakes.empty(), "a section Mistake");
        require(lesson_.hints.size() == kLessonHints, fmt::format("{} sections Hint", kLessonHints));
        for (const LessonKernel& each : lesson_.starts) {
            require(std::ranges::any_of(
                        lesson_.solutions,
                        [&](const LessonKernel& solution) { return solution.file.language == each.file.language; }),
                    fmt::format("a solution in {}, as a start", name(each.file.language)));
            for (const LessonTest& test : lesson_.tests)
                require(test.judges(each.file.kind),
                        fmt::format("tests of its kernels; `{}` judges no kernel of kind {}", test.title,
                                    name(each.file.kind)));
        }
    }

    std::string_view text_;
    std::filesystem::path path_;
    Lesson lesson_;
    Section section_ = Section::kText;
    int line_ = 0, section_line_ = 0, kernel_line_ = 0;
    std::string part_, kernel_;
    std::string_view failure_;
};

const LessonKernel& of_language(const Lesson& lesson, const std::vector<LessonKernel>& kernels,
                                KernelLanguage language) {
    std::vector<std::string_view> offered;
    for (const LessonKernel& each : kernels) {
        if (each.file.language == language) return each;
        offered.push_back(name(each.file.language));
    }
    usage_error(fmt::format("lesson {} is in {}, not in {}", lesson.id, fmt::join(offered, " and "), name(language)));
}

std::string content_of_lesson(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) usage_error(fmt::format("{}: cannot be read", path.string()));
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// Folder of a user's lessons: orrery/lessons in $XDG_DATA_HOME or ~/.local/share; empty without them.
std::filesystem::path lessons_folder() {
    const std::filesystem::path folder = user_folder("XDG_DATA_HOME", ".local/share");
    return folder.empty() ? folder : folder / "lessons";
}

}  // namespace

const LessonKernel& Lesson::start(KernelLanguage language) const { return of_language(*this, starts, language); }
const LessonKernel& Lesson::solution(KernelLanguage language) const { return of_language(*this, solutions, language); }

Lesson parse_lesson(std::string_view text, const std::filesystem::path& path) {
    return LessonReader{text, path}.read();
}

std::vector<Lesson> shipped_lessons() {
    std::vector<Lesson> lessons;
    for (const std::string_view id : kLessonIds) {
        const std::string path = fmt::format("lessons/{}.md", id);
        lessons.push_back(parse_lesson(assets::file(path), path));
    }
    return lessons;
}

std::vector<Lesson> all_lessons(const std::filesystem::path& folder) {
    std::vector<Lesson> lessons = shipped_lessons();
    const std::filesystem::path from = folder.empty() ? lessons_folder() : folder;
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
        usage_error(fmt::format("{}: not a folder of lessons", folder.string()));
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{from, error})
        if (entry.path().extension() == ".md") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const std::filesystem::path& file : files) {
        Lesson lesson = parse_lesson(content_of_lesson(file), file);
        const auto shipped = std::ranges::find(lessons, lesson.id, &Lesson::id);
        if (shipped == lessons.end())
            lessons.push_back(std::move(lesson));
        else
            *shipped = std::move(lesson);
    }
    return lessons;
}

std::string lesson_file_name(const Lesson& lesson, KernelLanguage language) {
    const std::string_view extension = language == KernelLanguage::kCpp    ? ".cpp"
                                       : language == KernelLanguage::kGlsl ? ".glsl"
                                                                           : ".cu";
    return lesson.id + std::string{extension};
}

std::filesystem::path attempts_folder() {
    const std::filesystem::path folder = user_folder("XDG_DATA_HOME", ".local/share");
    if (folder.empty()) environment_error("no place for files: set HOME or XDG_DATA_HOME to an absolute path");
    return folder / "learn";
}

std::size_t find_lesson(const std::vector<Lesson>& lessons, const std::string& number_or_id) {
    const auto found = std::ranges::find(lessons, number_or_id, &Lesson::id);
    if (found != lessons.end()) return static_cast<std::size_t>(found - lessons.begin());
    if (std::size_t number = 0; read_number(number_or_id, number) && number >= 1 && number <= lessons.size())
        return number - 1;
    std::vector<std::string_view> ids;
    for (const Lesson& each : lessons) ids.push_back(each.id);
    usage_error(
        fmt::format("no lesson '{}': there are 1 to {}, {}", number_or_id, lessons.size(), fmt::join(ids, ", ")));
}

}  // namespace orrery
