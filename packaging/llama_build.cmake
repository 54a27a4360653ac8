# Included by CMake at each `project()` while llama-cpp-python is compiled (`LlamaBuild` in run.py).
# Decisions 149 and 159 say what it saves. A version of llama.cpp with other files is compiled as
# well: what is not named here is compiled as llama.cpp wants it.
#
# llama-cpp-python asks for llama.cpp's library of its programs (chat parsers, templates, downloads,
# command lines: "llama-common"). Neither its Python part nor libmtmd uses it, and it is a third of
# the work of the compiler. It asks in the cache of CMake; a normal variable comes before that.
set(LLAMA_BUILD_COMMON OFF)

# Nobody reads the compiler's warnings about a package that is not ours.
set(GGML_ALL_WARNINGS OFF)
set(LLAMA_ALL_WARNINGS OFF)

# Files that read a model, or list the operations that ggml computes: each token costs them
# microseconds, however they are compiled. All others have loops over numbers, tokens or pixels
# (but for audio, which Inkgraph does not use). The first are compiled in groups with the files of
# the networks (models/*.cpp), as llama.cpp does with its own; the second contain names twice.
set(INKGRAPH_GROUPED
    llama.cpp llama-adapter.cpp llama-arch.cpp llama-chat.cpp llama-cparams.cpp llama-hparams.cpp
    llama-impl.cpp llama-io.cpp llama-mmap.cpp llama-model-loader.cpp llama-model-saver.cpp
    llama-model.cpp llama-quant.cpp unicode-data.cpp)
set(INKGRAPH_BRIEF
    ggml-backend-meta.cpp ggml-opt.cpp gguf.cpp
    clip.cpp mtmd.cpp mtmd-audio.cpp mtmd-helper.cpp mtmd-helper-gen.cpp)

# Find the optimisation of C++ files: "-O2", "-O3", or "" for all else and for other compilers.
function(inkgraph_find_optimization result)
    set(${result} "" PARENT_SCOPE)
    if(MSVC OR NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
        return()
    endif()
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    string(REGEX MATCHALL "-O[^ ]*" found "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
    list(POP_BACK found last)
    if(last MATCHES "^-O[23]$")
        set(${result} ${last} PARENT_SCOPE)
    endif()
endfunction()

# CMake puts no file with options of its own into a group. So the targets of networks have the few
# optimisations, and their other files take them back.
function(inkgraph_compile_sooner)
    inkgraph_find_optimization(usual)
    foreach(target ggml-base llama mtmd)
        if(NOT TARGET ${target})
            continue()
        endif()
        if(NOT target STREQUAL "ggml-base")
            set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
            if(usual)
                target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
            endif()
        endif()
        get_target_property(folder ${target} SOURCE_DIR)
        get_target_property(files ${target} SOURCES)
        foreach(file IN LISTS files)
            get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${folder}")
            file(RELATIVE_PATH name "${folder}" "${file}")
            if(NOT name MATCHES "[.]cpp$" OR name MATCHES "^models/")
                continue()
            endif()
            set(is_alone ON)
            if(name IN_LIST INKGRAPH_GROUPED)
                set(is_alone OFF)
            endif()
            set_property(SOURCE "${file}" TARGET_DIRECTORY ${target}
                PROPERTY SKIP_UNITY_BUILD_INCLUSION ${is_alone})
            set(level "${usual}")
            if(name IN_LIST INKGRAPH_BRIEF)
                set(level -O1)
            endif()
            if(usual AND is_alone)
                set_property(SOURCE "${file}" TARGET_DIRECTORY ${target}
                    APPEND PROPERTY COMPILE_OPTIONS ${level})
            endif()
        endforeach()
    endforeach()
endfunction()

if(CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR)
    cmake_language(DEFER CALL inkgraph_compile_sooner) # once every target is known
endif()
