// SPDX-License-Identifier: MIT
#include "core/kernels/kernel_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

template <class Value>
struct KernelWord {
    std::string_view id;
    Value value;
};
constexpr auto kKernelKinds = std::to_array<KernelWord<KernelKind>>(
    {{"pair", KernelKind::kPair}, {"forces", KernelKind::kForces}, {"map", KernelKind::kMap}});
constexpr auto kKernelLanguages = std::to_array<KernelWord<KernelLanguage>>(
    {{"c++", KernelLanguage::kCpp}, {"glsl", KernelLanguage::kGlsl}, {"cuda", KernelLanguage::kCuda}});
constexpr auto kKernelLaws = std::to_array<KernelWord<bool>>({{"gravity", false}, {"own", true}});

constexpr std::size_t kMostParameters = 16;
constexpr int kMostGroup = 1024;

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

bool is_name(std::string_view text) {
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
    return !text.empty() && text.size() <= 32 && letter(text.front()) && text.find("__") == text.npos &&
           std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Reads the head of one text.
class HeadReader {
public:
    HeadReader(std::string_view text, std::string_view name) { file_.name = name, file_.text = text; }

    KernelFile read() {
        if (file_.text.size() > kMostKernelBytes)
            fail(1, fmt::format("a kernel has at most {} bytes, not {}", kMostKernelBytes, file_.text.size()));
        if (const auto zero = file_.text.find('\0'); zero != file_.text.npos)
            fail(1 + static_cast<int>(std::count(file_.text.begin(), file_.text.begin() + long(zero), '\n')),
                 "not a text: it has a zero byte");
        int line = 0;
        for (std::size_t at = 0; at < file_.text.size();) {
            const std::size_t end = std::min(file_.text.find('\n', at), file_.text.size());
            const std::string_view text = trimmed(std::string_view{file_.text}.substr(at, end - at));
            ++line;
            if (text.starts_with("//!"))
                take(trimmed(text.substr(3)), line);
            else if (!text.empty() && !text.starts_with("//"))
                break;
            at = end + 1;
        }
        for (const std::string_view key : {"kind", "language"})
            if (!seen_.contains(std::string{key})) fail(1, fmt::format("the head has no line `//! {} = …`", key));
        if (file_.title.empty()) file_.title = file_.name;
        if (file_.kind == KernelKind::kMap && seen_.contains("law")) fail(1, "a map has no law");
        if (file_.kind == KernelKind::kMap && file_.language == KernelLanguage::kCuda)
            fail(1, "a map is written in c++ or glsl, not in cuda");
        return std::move(file_);
    }

private:
    [[noreturn]] void fail(int line, const std::string& what) const {
        usage_error(fmt::format("{}:{}: {}", file_.name, line, what));
    }

    void take(std::string_view text, int line) {
        if (text.empty()) return;
        const std::size_t equals = text.find('=');
        if (equals == text.npos) fail(line, fmt::format("expected `key = value`, found '{}'", text));
        const std::string_view key = trimmed(text.substr(0, equals));
        std::string_view value = trimmed(text.substr(equals + 1));
        if (key.starts_with("parameter ")) return take_parameter(trimmed(key.substr(10)), value, line);
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        if (!seen_.insert(std::string{key}).second) fail(line, fmt::format("{} is given twice", key));
        if (key == "kind")
            file_.kind = word(kKernelKinds, key, value, line);
        else if (key == "language")
            file_.language = word(kKernelLanguages, key, value, line);
        else if (key == "law")
            file_.own_law = word(kKernelLaws, key, value, line);
        else if (key == "title")
            file_.title = value;
        else if (key == "author")
            file_.author = value;
        else if (key == "threads")
            file_.threads = size(key, value, line);
        else if (key == "rows")
            file_.rows = size(key, value, line);
        else
            fail(line, fmt::format("unknown key '{}'; there are kind, language, law, title, author, threads, rows and "
                                   "parameter NAME",
                                   key));
    }

    template <class Value, std::size_t kCount>
    Value word(const std::array<KernelWord<Value>, kCount>& words, std::string_view key, std::string_view value,
               int line) const {
        std::string all;
        for (const auto& each : words) {
            if (each.id == value) return each.value;
            all += fmt::format("{}{}", all.empty() ? "" : ", ", each.id);
        }
        fail(line, fmt::format("{}: expected one of {}, found '{}'", key, all, value));
    }

    int size(std::string_view key, std::string_view value, int line) const {
        int number = 0;
        if (!read_number(value, number) || number < 1 || number > kMostGroup)
            fail(line, fmt::format("{}: expected a whole number from 1 to {}, found '{}'", key, kMostGroup, value));
        return number;
    }

    /// `0.5 [0.01, 10] range of the force`
    void take_parameter(std::string_view name, std::string_view text, int line) {
        if (!is_name(name)) fail(line, fmt::format("'{}' is not a name of a parameter", name));
        for (const KernelParameter& each : file_.parameters)
            if (each.name == name) fail(line, fmt::format("parameter {} is given twice", name));
        if (file_.parameters.size() == kMostParameters)
            fail(line, fmt::format("a kernel has at most {} parameters", kMostParameters));
        const std::size_t open = text.find('['), comma = text.find(',', open), close = text.find(']', comma);
        std::optional<double> value, low, high;
        if (close != text.npos) {
            value = parse_real(text.substr(0, open));
            low = parse_real(text.substr(open + 1, comma - open - 1));
            high = parse_real(text.substr(comma + 1, close - comma - 1));
        }
        if (!value || !low || !high)
            fail(line, fmt::format("parameter {}: expected `value [low, high]`, found '{}'", name, text));
        if (!(*low < *high) || *value < *low || *value > *high)
            fail(line, fmt::format("parameter {}: {} is not in the range [{}, {}]", name, *value, *low, *high));
        file_.parameters.push_back(
            {std::string{name}, *value, *low, *high, std::string{trimmed(text.substr(close + 1))}, line});
    }

    KernelFile file_;
    std::set<std::string> seen_;
};

template <class Words, class Value>
std::string_view id_of(const Words& words, Value value) {
    return std::ranges::find_if(words, [&](const auto& each) { return each.value == value; })->id;
}

}  // namespace

std::vector<double> KernelFile::values() const {
    std::vector<double> all;
    for (const KernelParameter& each : parameters) all.push_back(each.value);
    return all;
}

std::string KernelFile::code() const {
    std::string code = text;
    for (const KernelParameter& each : parameters) {
        std::size_t at = 0;
        for (int line = 1; line < each.line; ++line) at = code.find('\n', at) + 1;
        code.erase(at, std::min(code.find('\n', at), code.size()) - at);
    }
    return code;
}

KernelFile parse_kernel(std::string_view text, std::string_view name) { return HeadReader{text, name}.read(); }

bool is_kernel_path(const std::filesystem::path& path) {
    return path.extension() == ".cpp" || path.extension() == ".glsl" || path.extension() == ".cu";
}

std::string read_kernel_text(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    std::string text(kMostKernelBytes + 1, '\0');
    if (!file || !file.read(text.data(), static_cast<std::streamsize>(text.size())).eof() || file.bad())
        usage_error(fmt::format("{}: cannot be read as a kernel file of at most {} bytes", path, kMostKernelBytes));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

KernelFile read_kernel(const std::string& path) { return parse_kernel(read_kernel_text(path), path); }

int line_of_error(std::string_view message, std::string_view name) {
    if (!message.starts_with(name) || !message.substr(name.size()).starts_with(':')) return 0;
    const std::string_view rest = message.substr(name.size() + 1);
    const std::size_t end = rest.find(':');
    int line = 0;
    return end != rest.npos && read_number(rest.substr(0, end), line) && line > 0 ? line : 0;
}

std::string with_parameter(const KernelFile& file, std::string_view name, double value) {
    const auto found = std::ranges::find(file.parameters, name, &KernelParameter::name);
    if (found == file.parameters.end()) usage_error(fmt::format("{} has no parameter '{}'", file.name, name));
    if (!(value >= found->low && value <= found->high))
        usage_error(fmt::format("parameter {}: {} is not in the range [{}, {}]", name, value, found->low, found->high));
    std::size_t at = 0;
    for (int line = 1; line < found->line; ++line) at = file.text.find('\n', at) + 1;
    const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
    return file.text.substr(0, at) +
           fmt::format("//! parameter {} = {} [{}, {}]{}{}", name, value, found->low, found->high,
                       found->doc.empty() ? "" : " ", found->doc) +
           file.text.substr(end);
}

std::string_view name(KernelKind kind) { return id_of(kKernelKinds, kind); }
std::string_view name(KernelLanguage language) { return id_of(kKernelLanguages, language); }
Backend backend_of(KernelLanguage language) {
    return language == KernelLanguage::kCpp    ? Backend::kCpu
           : language == KernelLanguage::kGlsl ? Backend::kGl
                                               : Backend::kCuda;
}

}  // namespace orrery
