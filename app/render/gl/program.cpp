// SPDX-License-Identifier: MIT
#include "app/render/gl/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "shaders/shaders.hpp"

namespace orrery {
namespace {

/// A shader's text with its includes inserted. `#line LINE FILE` keeps the driver's messages correct.
struct Source {
    std::string_view shade;               ///< replacement for SHADE
    std::string_view defined;             ///< macros, separated by spaces
    std::vector<std::string_view> files;  ///< GLSL identifies files by number: the index in this list
    std::string text;
};

/// `back`: a #line directive that restores the file's line number.
void define(Source& source, std::string_view back) {
    std::string_view left = source.defined;
    while (!left.empty()) {
        const std::size_t end = std::min(left.find(' '), left.size());
        if (end > 0) source.text += fmt::format("#define {} 1\n", left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    if (!source.defined.empty()) source.text += back;
}

void append(Source& source, std::string_view file) {
    const std::string_view content = shaders::file(file);
    if (content.empty()) environment_error(fmt::format("shader {}: not part of this program", file));
    const std::size_t number = source.files.size();
    source.files.push_back(file);
    if (number > 0) source.text += fmt::format("#line 1 {}\n", number);
    int line = 0;
    for (std::size_t at = 0; at < content.size();) {
        const std::size_t end = std::min(content.find('\n', at), content.size());
        const std::string_view row = content.substr(at, end - at);
        at = end + 1;
        ++line;
        constexpr std::string_view kInclude = "#include ";
        if (!row.starts_with(kInclude)) {
            source.text.append(row).append("\n");
            if (row.starts_with("#version")) define(source, fmt::format("#line {} {}\n", line + 1, number));
            continue;
        }
        const std::string_view argument = row.substr(kInclude.size());
        const std::string_view name = argument == "SHADE" ? source.shade : argument.substr(1, argument.rfind('"') - 1);
        if (std::ranges::find(source.files, name) == source.files.end()) append(source, name);
        source.text += fmt::format("#line {} {}\n", line + 1, number);
    }
}

/// Mesa writes "1:12(3): error", NVIDIA "1(12) : error": the first number is the file, the second the line.
std::string located(const Source& source, std::string_view log) {
    std::size_t file = 0;
    int line = 0;
    const char* end = log.data() + log.size();
    const auto after_file = std::from_chars(log.data(), end, file);
    if (after_file.ec != std::errc{} || after_file.ptr == end || file >= source.files.size()) {
        return fmt::format("{}: {}", source.files.front(), log);
    }
    std::from_chars(after_file.ptr + 1, end, line);
    return fmt::format("{}:{}: {}", source.files[file], line, log);
}

std::string one_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    return text;
}

GLenum stage_of(std::string_view file) {
    if (file.ends_with(".vert")) return GL_VERTEX_SHADER;
    if (file.ends_with(".frag")) return GL_FRAGMENT_SHADER;
    return GL_COMPUTE_SHADER;
}

struct ShaderKind {
    static void destroy(GLuint name) { glDeleteShader(name); }
};

GlName<ShaderKind> compile(std::string_view file, std::string_view shade, std::string_view defined) {
    Source source{.shade = shade, .defined = defined};
    append(source, file);
    GlName<ShaderKind> shader{glCreateShader(stage_of(file))};
    const char* text = source.text.data();
    const auto length = static_cast<GLint>(source.text.size());
    glShaderSource(shader.get(), 1, &text, &length);
    glCompileShader(shader.get());
    GLint good = GL_FALSE;
    glGetShaderiv(shader.get(), GL_COMPILE_STATUS, &good);
    if (good == GL_TRUE) return shader;
    std::string log(4096, '\0');
    GLsizei used = 0;
    glGetShaderInfoLog(shader.get(), static_cast<GLsizei>(log.size()), &used, log.data());
    log.resize(static_cast<std::size_t>(used));
    environment_error("shader " + one_line(located(source, log)));
}

}  // namespace

GlProgram::GlProgram(std::initializer_list<std::string_view> files, std::string_view shade, std::string_view defined)
    : name_{glCreateProgram()} {
    std::vector<GlName<ShaderKind>> shaders;
    for (const std::string_view file : files) {
        shaders.push_back(compile(file, shade, defined));
        glAttachShader(name(), shaders.back().get());
    }
    glLinkProgram(name());
    GLint good = GL_FALSE;
    glGetProgramiv(name(), GL_LINK_STATUS, &good);
    if (good == GL_TRUE) return;
    std::string log(4096, '\0');
    GLsizei used = 0;
    glGetProgramInfoLog(name(), static_cast<GLsizei>(log.size()), &used, log.data());
    log.resize(static_cast<std::size_t>(used));
    environment_error(fmt::format("shader {}: does not link: {}", fmt::join(files, " + "), one_line(log)));
}

void dispatch_rows(std::size_t items, std::size_t group) {
    constexpr std::size_t kMostInRow = 32768;
    const std::size_t groups = (items + group - 1) / group, rows = (groups + kMostInRow - 1) / kMostInRow;
    glDispatchCompute(static_cast<GLuint>((groups + rows - 1) / rows), static_cast<GLuint>(rows), 1);
}

std::size_t largest_storage_block() {
    GLint64 largest = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &largest);
    return static_cast<std::size_t>(largest);
}

std::size_t items_of_binding(std::size_t each, std::size_t group) {
    return std::min(largest_storage_block() / each, std::size_t{1} << 30) / group * group;
}

void bind_storage_range(GLuint binding, GLuint buffer, std::size_t first, std::size_t count, std::size_t each) {
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer, static_cast<GLintptr>(first * each),
                      static_cast<GLsizeiptr>(count * each));
}

}  // namespace orrery
