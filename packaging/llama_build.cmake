# Included by CMake at each `project()` while llama-cpp-python is compiled (`build_llama` in run.py).
#
# llama-cpp-python asks for llama.cpp's library of its programs (chat parsers, templates, downloads,
# command lines: "llama-common"). Neither its Python part nor libmtmd uses it, and it is a third of
# the work of the compiler. It asks in the cache of CMake; a normal variable comes before that.
set(LLAMA_BUILD_COMMON OFF)
