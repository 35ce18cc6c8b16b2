// SPDX-License-Identifier: MIT
#include "core/catalogues/halo_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/catalogues/catalogue.hpp"
#include "core/formats/csv_text.hpp"

namespace orrery {
namespace {

constexpr std::size_t kHeadBytes = 64 << 10;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    const char *at = line.data(), *const end = at + line.size();
    while (true) {
        while (at < end && is_blank(*at)) ++at;
        if (at == end) return;
        const char* const first = at;
        while (at < end && !is_blank(*at)) ++at;
        fields.emplace_back(first, static_cast<std::size_t>(at - first));
    }
}

/// Removes the number of the column, as in "Mvir(4)".
std::string without_column_number(std::string_view title) {
    const auto open = title.rfind('(');
    const bool numbered = open != std::string_view::npos && open > 0 && title.back() == ')' &&
                          title.substr(open + 1).find_first_not_of("0123456789") == title.size() - open - 2;
    return lower_case(numbered ? title.substr(0, open) : title);
}

std::string beginning_of(const std::filesystem::path& path) {
    InputFile file{path};
    std::string text(static_cast<std::size_t>(std::min<std::uintmax_t>(file.size(), kHeadBytes)), '\0');
    file.read(std::as_writable_bytes(std::span{text}));
    return text;
}

}  // namespace

HaloTextHead halo_text_head(std::string_view beginning) {
    HaloTextHead head;
    while (beginning.starts_with('#')) {
        const auto end = std::min(beginning.find('\n'), beginning.size());
        std::string_view line = beginning.substr(0, end);
        beginning.remove_prefix(std::min(end + 1, beginning.size()));
        line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
        if (!head.titles.empty()) {
            head.comments.emplace_back(line);
            continue;
        }
        std::vector<std::string_view> words;
        split_at_blanks(line, words);
        for (const std::string_view word : words) head.titles.push_back(without_column_number(word));
    }
    return head;
}

bool has_title(const HaloTextHead& head, std::string_view title) {
    return std::ranges::find(head.titles, title) != head.titles.end();
}

HaloText::HaloText(const std::filesystem::path& path)
    : path_{path}, head_{halo_text_head(beginning_of(path))}, lines_{path} {}

std::optional<std::size_t> HaloText::find(std::initializer_list<std::string_view> titles) const {
    for (const std::string_view title : titles)
        if (const auto found = std::ranges::find(head_.titles, title); found != head_.titles.end())
            return static_cast<std::size_t>(found - head_.titles.begin());
    return std::nullopt;
}

std::size_t HaloText::column(std::initializer_list<std::string_view> titles) const {
    if (const auto found = find(titles)) return *found;
    usage_error(fmt::format("{}: column {} is missing; the first line names {}", path_.string(),
                            fmt::join(titles, " or "), fmt::join(head_.titles, ", ")));
}

bool HaloText::next() {
    while (const auto line = lines_.next()) {
        if (line->empty() || line->front() == '#') continue;
        split_at_blanks(*line, fields_);
        if (fields_.empty() || (rows_ == 0 && fields_.size() == 1)) continue;  // number of trees
        if (fields_.size() != head_.titles.size())
            usage_error(fmt::format("{}: line {}: expected {} columns, as the first line names, found {}",
                                    path_.string(), lines_.number(), head_.titles.size(), fields_.size()));
        ++rows_;
        row_bytes_ = line->size() + 1;
        return true;
    }
    return false;
}

void HaloText::refuse(std::size_t column, std::string_view expected) const {
    usage_error(fmt::format("{}: line {}: expected {} as {}, found \"{}\"", path_.string(), lines_.number(), expected,
                            head_.titles[column], csv_text::shown(fields_[column])));
}

double HaloText::number(std::size_t column) const {
    const std::string_view text = fields_[column];
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) return value;
    const auto other = csv_text::number(text);  // "+1", "1.5D+03"
    if (!other) refuse(column, "a number");
    return *other;
}

std::uint64_t HaloText::id(std::size_t column) const {
    if (fields_[column] == "-1") return kNoHaloId;
    return count(column);
}

std::uint64_t HaloText::count(std::size_t column) const {
    const std::string_view text = fields_[column];
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value != kNoHaloId) return value;
    constexpr double kMostExact = 9007199254740992.0;  // 2^53
    const double real = number(column);
    if (!(real >= 0 && real < kMostExact) || real != static_cast<double>(static_cast<std::uint64_t>(real)))
        refuse(column, "a whole number, below 2^53 if it has a point or an exponent");
    return static_cast<std::uint64_t>(real);
}

std::optional<double> HaloText::said(std::string_view key) const {
    for (const std::string& comment : head_.comments)
        for (std::size_t at = comment.find(key); at != std::string::npos; at = comment.find(key, at + 1)) {
            const bool begins = at == 0 || is_blank(comment[at - 1]) || comment[at - 1] == ';';
            std::string_view rest = std::string_view{comment}.substr(at + key.size());
            const auto sign = rest.find_first_not_of(" \t");
            if (!begins || sign == std::string_view::npos || (rest[sign] != '=' && rest[sign] != ':')) continue;
            rest.remove_prefix(sign + 1);
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
            double value = 0;
            if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec == std::errc{}) return value;
        }
    return std::nullopt;
}

std::size_t HaloText::rows_about() const {
    return static_cast<std::size_t>(lines_.size()) / std::max<std::size_t>(1, row_bytes_);
}

}  // namespace orrery
