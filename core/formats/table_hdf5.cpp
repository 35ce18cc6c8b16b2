// SPDX-License-Identifier: MIT
#include <limits>

#include "core/analysis/columns.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"

namespace orrery::hdf5 {

void write_number_table(const NumberTable& table, const std::string& group, const std::filesystem::path& path) {
    Writer file{path, 0};
    file.group(group);
    for (const std::string& name : table.columns) {
        std::vector<double> numbers;
        for (const auto& value : table.column(name))
            numbers.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
        const Column column = file.column(group + '/' + name, numbers.size(), 1, H5T_IEEE_F64LE);
        file.write(column, 0, numbers.size(), H5T_NATIVE_DOUBLE, numbers.data());
    }
    file.close();
    file.commit();
}

}  // namespace orrery::hdf5
