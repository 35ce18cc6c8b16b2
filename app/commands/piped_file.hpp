// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery {

/// A temporary file in place of standard input or output, because readers and writers of formats need a file. The
/// destructor removes it with its folder.
class PipedFile {
public:
    PipedFile();  ///< throws Error{kEnvironment}
    PipedFile(const PipedFile&) = delete;
    PipedFile& operator=(const PipedFile&) = delete;
    ~PipedFile();

    std::string path() const { return (folder_ / "stdin").string(); }
    void fill_from_stdin() const;
    void copy_to_stdout() const;

private:
    std::filesystem::path folder_;
};

/// True if this argument names standard input or output.
bool is_pipe(const std::string& argument);

}  // namespace orrery
