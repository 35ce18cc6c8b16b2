// SPDX-License-Identifier: MIT
// The functions of OpenGL 4.3 that compute shaders need, loaded for one context: independent of the window's loader.
#pragma once
#include <GL/glcorearb.h>  // types only

#include <string>

#include "core/gl/sharing.hpp"

namespace orrery::gl {

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
    /// Of OpenGL 4.5 or GL_ARB_robustness; null without them.
    PFNGLGETGRAPHICSRESETSTATUSPROC get_reset_status;
};

/// Loads the functions for the current context. Returns the name of the first one that is missing; empty: none.
std::string load(Loader get_proc_address, Functions& into);

}  // namespace orrery::gl
