// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/cli/lab_rows.hpp"

namespace orrery {

/// The rows of a CSV file to which the laboratory adds: existing rows are kept and can be looked up.
class LabFile {
public:
    /// With an empty path there is no file. Throws Error{kUsage} if the file has other content.
    explicit LabFile(std::string path);

    /// A row measured before with the same settings, program and device; empty if there is none.
    std::vector<LabValue> kept(const Json& settings, const std::vector<std::string>& columns) const;
    /// Replaces the row with the same settings, if there is one.
    void add(const Json& row);
    /// Writes if the last write was at least two seconds ago, so that little is lost if the program is killed.
    void write_sometimes();
    void write();

private:
    std::string path_;
    Json rows_ = Json::array();                            ///< text, as in the file
    std::unordered_map<std::string, std::size_t> places_;  ///< index of each row, by its settings
    double written_ = 0;                                   ///< seconds of the steady clock
};

}  // namespace orrery
