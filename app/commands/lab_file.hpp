// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/lab/rows.hpp"

namespace orrery {

/// The rows of a CSV file that a laboratory writes as it goes on: what was in it stays, and is found again.
class LabFile {
public:
    /// An empty path: no file, nothing kept. Throws Error{kUsage} when the file holds something else.
    explicit LabFile(std::string path);

    /// A row measured before with the settings of this one, by this program on this device: empty when there is none.
    std::vector<LabValue> kept(const Json& settings, const std::vector<std::string>& columns) const;
    /// Takes the place of the row of the same settings, when there is one.
    void add(const Json& row);
    /// Writes when the last time is two seconds ago, so that little is lost when the program is ended.
    void write_sometimes();
    void write();

private:
    std::string path_;
    Json rows_ = Json::array();                            ///< of text: as in the file
    std::unordered_map<std::string, std::size_t> places_;  ///< of rows, by their settings
    double written_ = 0;                                   ///< seconds of the steady clock
};

}  // namespace orrery
