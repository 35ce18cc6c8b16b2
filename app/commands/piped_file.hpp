// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/files.hpp"

namespace orrery {

/// A temporary file in place of standard input or output, because readers and writers of formats need a file. The
/// destructor removes it with its folder.
class PipedFile {
public:
    std::string path() const { return (folder_.path() / "stdin").string(); }
    void fill_from_stdin() const;
    void copy_to_stdout() const;

private:
    TemporaryFolder folder_;
};

/// True if this argument names standard input or output.
bool is_pipe(const std::string& argument);

}  // namespace orrery
