// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace orrery {

/// A file that stands for standard input or output, because readers and writers of formats need one. It lies in a
/// temporary folder and is removed with the object.
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

/// Whether this argument names standard input, or standard output.
bool is_pipe(const std::string& argument);

}  // namespace orrery
