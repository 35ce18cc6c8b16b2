// SPDX-License-Identifier: MIT
// The OpenGL device that computes, and its objects. OpenGL belongs to a thread, so the device has one of its own with a
// context that no other thread uses; all functions here may be called from any thread.
#pragma once
#include <GL/glcorearb.h>  // types only

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/gl/info.hpp"
#include "core/gl/sharing.hpp"

namespace orrery::gl {

// The functions of OpenGL 4.3 that compute shaders need, loaded for one context: independent of the window's loader.

struct Functions {
    PFNGLGETSTRINGPROC get_string;
    PFNGLGETSTRINGIPROC get_string_i;
    PFNGLGETINTEGERVPROC get_integer;
    PFNGLGETINTEGER64VPROC get_integer64;
    PFNGLGETERRORPROC get_error;
    PFNGLFLUSHPROC flush;
    PFNGLFINISHPROC finish;
    PFNGLCREATESHADERPROC create_shader;
    PFNGLSHADERSOURCEPROC shader_source;
    PFNGLCOMPILESHADERPROC compile_shader;
    PFNGLGETSHADERIVPROC get_shader;
    PFNGLGETSHADERINFOLOGPROC get_shader_log;
    PFNGLDELETESHADERPROC delete_shader;
    PFNGLCREATEPROGRAMPROC create_program;
    PFNGLATTACHSHADERPROC attach_shader;
    PFNGLLINKPROGRAMPROC link_program;
    PFNGLGETPROGRAMIVPROC get_program;
    PFNGLGETPROGRAMINFOLOGPROC get_program_log;
    PFNGLDELETEPROGRAMPROC delete_program;
    PFNGLUSEPROGRAMPROC use_program;
    PFNGLGENBUFFERSPROC gen_buffers;
    PFNGLDELETEBUFFERSPROC delete_buffers;
    PFNGLBINDBUFFERPROC bind_buffer;
    PFNGLBINDBUFFERBASEPROC bind_buffer_base;
    PFNGLBINDBUFFERRANGEPROC bind_buffer_range;
    PFNGLMAPBUFFERRANGEPROC map_buffer_range;
    PFNGLFENCESYNCPROC fence_sync;
    PFNGLCLIENTWAITSYNCPROC client_wait_sync;
    PFNGLDELETESYNCPROC delete_sync;
    PFNGLBUFFERDATAPROC buffer_data;
    PFNGLBUFFERSUBDATAPROC buffer_sub_data;
    PFNGLGETBUFFERSUBDATAPROC get_buffer_sub_data;
    PFNGLCLEARBUFFERDATAPROC clear_buffer_data;
    PFNGLDISPATCHCOMPUTEPROC dispatch_compute;
    PFNGLMEMORYBARRIERPROC memory_barrier;
    PFNGLWAITSYNCPROC wait_sync;
    PFNGLGENQUERIESPROC gen_queries;
    PFNGLDELETEQUERIESPROC delete_queries;
    PFNGLQUERYCOUNTERPROC query_counter;
    PFNGLGETQUERYOBJECTIVPROC get_query_int;
    PFNGLGETQUERYOBJECTUI64VPROC get_query_uint64;
    PFNGLBUFFERSTORAGEPROC buffer_storage;  ///< of OpenGL 4.4; null without it
    /// Function of OpenGL 4.5 or GL_ARB_robustness; null without them.
    PFNGLGETGRAPHICSRESETSTATUSPROC get_reset_status;
};

/// Loads the functions for the current context. Returns the name of the first one that is missing; empty: none.
std::string load(Loader get_proc_address, Functions& into);

/// The uniform block of core/gl/shaders/arguments.glsl.
template <class Real>
struct PairArguments {
    std::uint32_t count = 0, first_item = 0, last_item = 0, splits = 0;
    std::uint32_t tile_rows = 0, grid_x = 0, map = 0, root = 0;
    std::uint32_t window = 0, first_window = 0, last_window = 0, law = 0;
    std::uint32_t equal_masses = 0, balanced_side = 0, unused[2]{};
    Real softening2{}, h{}, per_h{}, sigma2{};
    Real cut_off2{}, cut_energy{}, constant{}, unused_real{};
};

/// Uniform buffers in turn, so that a dispatch need not wait for the previous one. With OpenGL 4.4, slots of one mapped
/// buffer: copying the arguments is then no command of the driver. Use it on the thread of the context.
class ArgumentRing {
public:
    static constexpr std::size_t kSlotBytes = 512;  ///< a multiple of every driver's alignment

    void open(const Functions& f);
    std::vector<GLuint> names() const;  ///< of its buffers
    void forget() { *this = {}; }       ///< after the context has ended
    /// Binds these arguments, at most kSlotBytes, to the uniform block 0 of the next dispatch.
    void bind(const Functions& f, std::span<const std::byte> arguments);

private:
    static constexpr std::size_t kSlots = 256, kOfSegment = 64;

    void wait_for_segment(const Functions& f, std::size_t segment);

    std::array<GLuint, 16> buffers_{};  // without mapping
    GLuint mapped_ = 0;
    std::byte* memory_ = nullptr;
    std::array<GLsync, kSlots / kOfSegment> used_{};  // after the last dispatch with a slot of the segment
    std::size_t turn_ = 0;
};

/// Limits and extensions of the device.
struct Limits {
    std::uint64_t buffer_bytes = 0;  ///< of a shader storage block
    int threads = 0;                 ///< of a work group
    std::size_t shared_bytes = 0;    ///< of a work group
    std::uint32_t groups = 0;        ///< of a dispatch, along x
    bool float_atomics = false;      ///< GL_NV_shader_atomic_float
    bool shuffles = false;           ///< subgroups of 32 threads with shuffles (GL_KHR_shader_subgroup)
};

/// The memory of the device, or a limit of it, does not suffice.
class NoRoom : public Error {
public:
    explicit NoRoom(const std::string& text) : Error{Blame::kEnvironment, text} {}
};

/// Properties that tests may pretend.
struct Pretended {
    std::uint64_t buffer_bytes = ~std::uint64_t{0};  ///< of a storage block
    std::uint64_t memory = ~std::uint64_t{0};        ///< of all buffers
    double slowness = 1;                             ///< factor of measured times
};

/// Counts of a device since the start; `buffers` and `memory` are those that exist.
struct Counts {
    std::atomic<std::uint64_t> buffers = 0, memory = 0, read = 0, written = 0, dispatches = 0;
    std::set<unsigned> names;  ///< buffers to delete when the device is closed; on its thread
};

/// A linked compute shader. Use it within Device::run().
class Program {
public:
    Program(const Functions& f, const std::string& name, const std::string& source);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();
    unsigned id() const { return id_; }

private:
    const Functions& f_;
    unsigned id_;
};

/// Earlier shaders that a dispatch waits for. kNone: it reads nothing that they write, and writes nothing that they
/// read.
enum class After { kAll, kNone };

class Device {
public:
    /// The device of this process. Throws Error{kEnvironment} if OpenGL cannot compute here.
    static Device& get();
    /// The same for destructors of its objects: never opens it.
    static Device& of_objects() noexcept { return *made_; }
    static Device* if_open() noexcept { return made_ && !made_.load()->closed_ ? made_.load() : nullptr; }
    static const GlComputeInfo& info();  ///< of the devices found, also if none can compute; remains valid

    /// Runs `work` on the device's thread and waits until it returns, not until the GPU is done. Rethrows what it
    /// throws. Runs at once if called on that thread.
    template <class Work>
    auto run(const Work& work) {
        using Result = decltype(work());
        if constexpr (std::is_void_v<Result>) {
            run_on_thread([&] { work(); });
        } else {
            Result result{};
            run_on_thread([&] { result = work(); });
            return result;
        }
    }
    /// Runs `work`, which must not throw, later on the device's thread.
    void post(std::function<void()> work);
    void wait();  ///< until the GPU has done all work; throws as check()

    /// Counts how often the device was opened: objects of an earlier generation no longer exist.
    std::uint64_t generation() const { return generation_; }
    /// Opens the device of choose_gl_device() again: after it was lost, or for another choice. All objects become
    /// stale. Throws Error{kEnvironment} if none can compute; a later call tries again.
    void reopen();
    /// Reopens the device if it was lost.
    void reopen_if_lost();
    /// Releases the context of this source, if it has that. The device is opened again when it is used.
    void detach(const ContextSource& source);
    /// The source of the context; null: the device's own. For comparison only.
    const ContextSource* source() const { return source_; }
    /// Nothing unless the device has its own context on this EGL display.
    std::optional<SharedContext> shared_context(void* egl_display);
    /// Throws NoRoom if a buffer of this size exceeds a limit.
    void require_room(std::uint64_t bytes) const;
    Counts& counts() { return counts_; }
    /// Makes the next check() fail as after a reset of the device, for tests.
    void pretend_loss() { lost_ = true; }

    /// Set it only while nothing computes.
    Pretended& pretended() { return pretended_; }

    const Functions& functions() const { return f_; }
    const Limits& limits() const { return limits_; }

    /// The program of this shader, compiled once. `defines`: lines before the text; `file`: a file of
    /// core/gl/shaders, or FILE:NAME for one of several shaders in it; `kernel`: the text in place of the line that
    /// includes kernel. Throws Error{kEnvironment} with the compiler's log. Call within run().
    const Program& program(std::string_view file, const std::string& defines, std::string_view kernel = {});
    /// Binds buffers from binding 0 on and dispatches `groups` work groups, along x and, beyond the limit, along y:
    /// shaders read group_index(). `arguments`: bytes of the uniform block Arguments. Call within
    /// run().
    void dispatch(const Program& program, std::initializer_list<unsigned> buffers, std::span<const std::byte> arguments,
                  std::uint64_t groups, After after = After::kAll);
    template <class Arguments>
    void dispatch(const Program& program, std::initializer_list<unsigned> buffers, const Arguments& arguments,
                  std::uint64_t groups, After after = After::kAll) {
        static_assert(sizeof(Arguments) <= ArgumentRing::kSlotBytes);
        dispatch(program, buffers, std::as_bytes(std::span{&arguments, 1}), groups, after);
    }
    /// The same with work groups along three dimensions, each within the device's limit.
    void dispatch_grid(const Program& program, std::initializer_list<unsigned> buffers,
                       std::span<const std::byte> arguments, std::array<std::uint32_t, 3> groups,
                       After after = After::kAll);
    template <class Arguments>
    void dispatch_grid(const Program& program, std::initializer_list<unsigned> buffers, const Arguments& arguments,
                       std::array<std::uint32_t, 3> groups) {
        static_assert(sizeof(Arguments) <= ArgumentRing::kSlotBytes);
        dispatch_grid(program, buffers, std::as_bytes(std::span{&arguments, 1}), groups);
    }
    /// Throws Error{kEnvironment} after an error of OpenGL, such as lack of memory, and DeviceLost after a reset of the
    /// device, until it is reopened.
    void check(std::string_view what);

private:
    struct Context;
    static Device* opened();
    void publish() const;
    void barrier();  // makes later commands see what earlier shaders wrote
    Device();
    ~Device();
    void run_on_thread(std::function<void()> work);
    void loop();
    void open();
    void try_source(const std::string& chosen, bool hardware);
    void find_limits();
    void close();

    static std::atomic<Device*> made_;  // never destroyed once it was opened
    std::mutex mutex_;
    std::condition_variable work_there_, work_done_;
    std::deque<std::function<void()>> work_;
    std::uint64_t given_ = 0, done_ = 0;
    std::thread thread_;
    std::atomic<std::uint64_t> generation_ = 0;
    std::atomic<bool> lost_ = false, closed_ = false;
    Counts counts_;
    Pretended pretended_;
    std::unique_ptr<Context> context_;
    std::atomic<const ContextSource*> source_ = nullptr;
    Functions f_{};
    Limits limits_;
    std::vector<GlDeviceInfo> found_;
    std::map<std::string, std::unique_ptr<Program>, std::less<>> programs_;
    ArgumentRing arguments_;
};

/// A buffer object. Its memory is uninitialised.
class Buffer {
public:
    Buffer() = default;
    /// Throws Error{kEnvironment} if the memory of the device or its limit does not suffice.
    explicit Buffer(std::uint64_t bytes);
    Buffer(Buffer&& other) noexcept
        : name_{std::exchange(other.name_, 0)},
          bytes_{std::exchange(other.bytes_, 0)},
          generation_{other.generation_} {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(name_, other.name_), std::swap(bytes_, other.bytes_), std::swap(generation_, other.generation_);
        return *this;
    }
    ~Buffer();

    unsigned name() const { return name_; }
    std::uint64_t bytes() const { return bytes_; }
    /// True if the device was opened again since this buffer was made: it has no memory.
    bool stale() const { return generation_ != Device::of_objects().generation(); }
    void write(std::span<const std::byte> from, std::uint64_t offset = 0);
    void read(std::span<std::byte> to, std::uint64_t offset = 0) const;  ///< waits
    void clear();
    /// Replaces the buffer if it is smaller or stale; frees the old one first.
    void reserve(std::uint64_t bytes) {
        if (bytes_ < bytes || stale()) *this = Buffer{}, *this = Buffer{bytes};
    }

private:
    void require_alive() const;

    unsigned name_ = 0;
    std::uint64_t bytes_ = 0, generation_ = 0;
};

/// A moment in the stream of commands, in the device's time.
class Timestamp {
public:
    Timestamp() = default;
    Timestamp(const Timestamp&) = delete;
    Timestamp& operator=(const Timestamp&) = delete;
    ~Timestamp();
    void record();
    bool there() const;          ///< read() would not wait
    std::uint64_t read() const;  ///< nanoseconds; waits; 0 if the device was opened again since record()

private:
    bool stale() const { return generation_ != Device::of_objects().generation(); }

    unsigned query_ = 0;
    std::uint64_t generation_ = 0;
};

}  // namespace orrery::gl
