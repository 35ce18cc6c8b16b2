// SPDX-License-Identifier: MIT
#include "app/commands/run_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {
namespace {

/// Keeps the titles and the rows up to this step. Drops an incomplete last line, left by a run that was killed.
void cut_table(const std::string& path, const std::string& titles, std::uint64_t steps) {
    std::ifstream from{path};
    std::string head;
    if (std::getline(from, head) && head != titles)
        usage_error(path + ": has other columns than this program writes; choose another file");
    from.seekg(0);
    OutputFile to{path};
    for (std::string line; std::getline(from, line) && !from.eof();) {
        std::uint64_t step = 0;
        const auto [end, status] = std::from_chars(line.data(), line.data() + line.size(), step);
        if (status != std::errc{} || step <= steps) to.write(line + '\n');
    }
    to.commit();
}

}  // namespace

RunTable::RunTable(std::string path, const std::string& titles, std::uint64_t steps) : path_{std::move(path)} {
    const bool continues = steps > 0 && std::filesystem::exists(path_);
    file_ = lock_output(path_);
    if (continues) {
        cut_table(path_, titles, steps);
        file_ = lock_output(path_);  // of the file that replaced it
        lseek(file_.get(), 0, SEEK_END);
    } else {
        std::ignore = ftruncate(file_.get(), 0);  // fails for a device, which has nothing to cut
        write(titles + '\n');
    }
}

void RunTable::add(const std::string& rows) { write(rows + '\n'); }

void RunTable::write(const std::string& lines) {
    const off_t whole = lseek(file_.get(), 0, SEEK_CUR);
    if (file_.write(std::as_bytes(std::span{lines}))) return;
    const int why = errno;
    if (whole >= 0 && ftruncate(file_.get(), whole) == 0) lseek(file_.get(), whole, SEEK_SET);  // removes a partial row
    environment_error(fmt::format("{}: cannot be written: {}", path_, std::strerror(why)));
}

}  // namespace orrery
