// SPDX-License-Identifier: MIT
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace orrery::test {

/// A folder for one test, created empty and removed at the end.
class Scratch : public testing::Test {
protected:
    Scratch() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        std::string name =
            std::string{"orrery_"} + test->test_suite_name() + "_" + test->name() + std::to_string(getpid());
        for (char& c : name)
            if (c == '/') c = '_';
        folder_ = std::filesystem::temp_directory_path() / name;
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~Scratch() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path path(const std::string& name) const { return folder_ / name; }
    std::filesystem::path save(const std::string& name, std::string_view content) const {
        std::filesystem::remove(path(name));  // ext4 writes a file that replaces the content of another to disk at once
        std::ofstream{path(name), std::ios::binary} << content;
        return path(name);
    }
    std::string content(const std::filesystem::path& from) const {
        std::ifstream file{from, std::ios::binary};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    std::size_t files() const {
        using Iterator = std::filesystem::directory_iterator;
        return static_cast<std::size_t>(std::distance(Iterator{folder_}, Iterator{}));
    }

private:
    std::filesystem::path folder_;
};

/// Expects `action` to throw an Error with this blame, in one line that contains each of `words`.
template <class Action, class... Words>
void expect_error(Action action, Blame blame, Words... words) {
    try {
        action();
        FAIL() << "expected an error";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(error.blame(), blame) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        for (const std::string& word : std::initializer_list<std::string>{std::string{words}...})
            EXPECT_THAT(text, testing::HasSubstr(word));
    }
}

}  // namespace orrery::test
