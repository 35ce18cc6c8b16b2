// SPDX-License-Identifier: MIT
#include "app/render/lasso.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace orrery {
namespace {

constexpr std::size_t kLassoGroup = 32 * 256;  // bodies of a work group of lasso.comp
constexpr std::size_t kMostCopies = 16384;     // of single bodies; beyond, all bodies are read back
static_assert(std::endian::native == std::endian::little, "two words of 32 bits are one of 64");

GlBuffer stored(const void* data, std::size_t bytes) {
    GlBuffer buffer{bytes, GL_DYNAMIC_STORAGE_BIT};
    buffer.write(data, bytes);
    return buffer;
}

std::vector<std::uint64_t> read_back(const GlBuffer& buffer, std::size_t words) {
    std::vector<std::uint64_t> read(words);
    glGetNamedBufferSubData(buffer.name(), 0, static_cast<GLsizeiptr>(words * sizeof(std::uint64_t)), read.data());
    return read;
}

/// The bodies of these rows, gathered in the memory of the buffer and read back at once.
std::vector<Vec4f> read_rows(const SharedBuffer& bodies, const std::vector<std::uint32_t>& rows) {
    std::vector<Vec4f> read(rows.size());
    if (rows.empty()) return read;
    if (rows.size() > kMostCopies) {
        const std::vector<Vec4f> all = bodies.read(bodies.count());
        std::ranges::transform(rows, read.begin(), [&](std::uint32_t row) { return all[row]; });
        return read;
    }
    const GlBuffer gathered{rows.size() * sizeof(Vec4f), 0};
    for (std::size_t i = 0; i < rows.size(); ++i)
        glCopyNamedBufferSubData(bodies.name(), gathered.name(), static_cast<GLintptr>(rows[i] * sizeof(Vec4f)),
                                 static_cast<GLintptr>(i * sizeof(Vec4f)), sizeof(Vec4f));
    glGetNamedBufferSubData(gathered.name(), 0, static_cast<GLsizeiptr>(gathered.bytes()), read.data());
    return read;
}

bool encloses(const Projector& project, const Outline& line, const Periodic& space, const Vec4f& body) {
    for (int copy = 0; copy < space.copies(); ++copy) {
        const Vec3d place = space.image({body.x, body.y, body.z}, copy);
        if (const auto at = project({place.x, place.y, place.z}); at && line.holds(at->x, at->y)) return true;
    }
    return false;
}

}  // namespace

/// The numbers before the edges, in the order of lasso.comp.
struct Lasso::Header {
    glm::dvec3 eye, right, up, back;
    glm::dvec2 centre;
    double nearest, height, half_height;  // as in Projector
    double left, right_end, low, high, strips_per_height;
    Vec3d space;
    double edge, tiles;  // as in Periodic
};

void Lasso::find(const SharedBuffer& bodies, const Header& header, const Outline::Shape& line) {
    static_assert(sizeof(Header) == 27 * sizeof(double) && sizeof(Outline::Edge) == 5 * sizeof(double));
    if (program_.name() == 0) program_ = GlProgram{"lasso.comp"}, range_ = items_of_binding(sizeof(Vec4f), kLassoGroup);
    GlBuffer numbers{sizeof(Header) + line.edges.size() * sizeof(Outline::Edge), GL_DYNAMIC_STORAGE_BIT};
    numbers.write(&header, sizeof(Header));
    numbers.write(line.edges.data(), line.edges.size() * sizeof(Outline::Edge), sizeof(Header));
    const GlBuffer strips = stored(line.first.data(), line.first.size() * sizeof(std::uint32_t));
    const std::size_t bytes = (bodies.count() + 63) / 64 * sizeof(std::uint64_t);
    if (inside_.bytes() != bytes) inside_ = {}, undecided_ = {}, inside_ = {bytes, 0}, undecided_ = {bytes, 0};
    const GLuint zero = 0;  // the last 32 bits may belong to no thread
    for (const GlBuffer* bits : {&inside_, &undecided_})
        glClearNamedBufferData(bits->name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    program_.use();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, numbers.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, strips.name());
    for (std::size_t first = 0; first < bodies.count(); first += range_) {
        const std::size_t count = std::min(range_, bodies.count() - first);
        bind_storage_range(0, bodies.name(), first, count, sizeof(Vec4f));
        bind_storage_range(3, inside_.name(), first / 32, (count + 31) / 32, sizeof(std::uint32_t));
        bind_storage_range(4, undecided_.name(), first / 32, (count + 31) / 32, sizeof(std::uint32_t));
        glProgramUniform2ui(program_.name(), 0, static_cast<GLuint>(count), static_cast<GLuint>(line.first.size() - 1));
        dispatch_rows(count, kLassoGroup);
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
}

BodySet Lasso::within(const SharedBuffer& bodies, const OrbitCamera& camera, double width, double height,
                      const Outline& line, const Periodic& space) {
    const Projector project{camera, width, height};
    const std::size_t count = bodies.count(), words = (count + 63) / 64;
    unsure_ = 0;
    if (count == 0 || line.shape().first.empty()) return BodySet{count};
    const Outline::Shape& shape = line.shape();
    find(bodies,
         {.eye = camera.eye(),
          .right = camera.right(),
          .up = camera.up(),
          .back = camera.back(),
          .centre = {width / 2 * (1 + camera.shift().x), height / 2 * (1 - camera.shift().y)},
          .nearest = 1e-4 * camera.pose().distance,
          .height = height,
          .half_height = std::tan(camera.pose().fov / 2),
          .left = shape.left,
          .right_end = shape.right,
          .low = shape.low,
          .high = shape.high,
          .strips_per_height = shape.strips_per_height,
          .space = space.centre,
          .edge = space.edge,
          .tiles = static_cast<double>(space.tiles)},
         shape);
    BodySet set = BodySet::of_words(count, read_back(inside_, words));
    const std::vector<std::uint32_t> near = BodySet::of_words(count, read_back(undecided_, words)).rows();
    unsure_ = near.size();
    const std::vector<Vec4f> positions = read_rows(bodies, near);
    std::vector<std::uint32_t> more;
    for (std::size_t i = 0; i < near.size(); ++i)
        if (encloses(project, line, space, positions[i])) more.push_back(near[i]);
    return set |= BodySet::of_rows(count, more);
}

}  // namespace orrery
