// SPDX-License-Identifier: MIT
#include "core/gl/functions.hpp"

namespace orrery::gl {

std::string load(Loader get_proc_address, Functions& into) {
    std::string missing;
    const auto one = [&]<class Function>(Function& function, const char* name) {
        function = reinterpret_cast<Function>(get_proc_address(name));
        if (!function && missing.empty()) missing = name;
    };
    one(into.get_string, "glGetString");
    one(into.get_string_i, "glGetStringi");
    one(into.get_integer, "glGetIntegerv");
    one(into.get_integer64, "glGetInteger64v");
    one(into.get_error, "glGetError");
    one(into.flush, "glFlush");
    one(into.finish, "glFinish");
    one(into.create_shader, "glCreateShader");
    one(into.shader_source, "glShaderSource");
    one(into.compile_shader, "glCompileShader");
    one(into.get_shader, "glGetShaderiv");
    one(into.get_shader_log, "glGetShaderInfoLog");
    one(into.delete_shader, "glDeleteShader");
    one(into.create_program, "glCreateProgram");
    one(into.attach_shader, "glAttachShader");
    one(into.link_program, "glLinkProgram");
    one(into.get_program, "glGetProgramiv");
    one(into.get_program_log, "glGetProgramInfoLog");
    one(into.delete_program, "glDeleteProgram");
    one(into.use_program, "glUseProgram");
    one(into.gen_buffers, "glGenBuffers");
    one(into.delete_buffers, "glDeleteBuffers");
    one(into.bind_buffer, "glBindBuffer");
    one(into.bind_buffer_base, "glBindBufferBase");
    one(into.bind_buffer_range, "glBindBufferRange");
    one(into.map_buffer_range, "glMapBufferRange");
    one(into.fence_sync, "glFenceSync");
    one(into.client_wait_sync, "glClientWaitSync");
    one(into.delete_sync, "glDeleteSync");
    one(into.buffer_data, "glBufferData");
    one(into.buffer_sub_data, "glBufferSubData");
    one(into.get_buffer_sub_data, "glGetBufferSubData");
    one(into.clear_buffer_data, "glClearBufferData");
    one(into.dispatch_compute, "glDispatchCompute");
    one(into.memory_barrier, "glMemoryBarrier");
    one(into.wait_sync, "glWaitSync");
    one(into.gen_queries, "glGenQueries");
    one(into.delete_queries, "glDeleteQueries");
    one(into.query_counter, "glQueryCounter");
    one(into.get_query_int, "glGetQueryObjectiv");
    one(into.get_query_uint64, "glGetQueryObjectui64v");
    into.buffer_storage = reinterpret_cast<PFNGLBUFFERSTORAGEPROC>(get_proc_address("glBufferStorage"));
    into.get_reset_status =
        reinterpret_cast<PFNGLGETGRAPHICSRESETSTATUSPROC>(get_proc_address("glGetGraphicsResetStatus"));
    return missing;
}

}  // namespace orrery::gl
