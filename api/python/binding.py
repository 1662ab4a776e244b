"""binding.py CLOTHBENCH.H OUT.py: the declarations of the header as cffi reads them without a compiler: its comments, directives and C++ are
left out. CMake runs it."""
import re
import sys

import cffi

text = open(sys.argv[1], encoding="utf-8").read()
text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
text = re.sub(r"^#.*$", "", text, flags=re.M)
ffi = cffi.FFI()
ffi.cdef(text)
ffi.set_source("clothbench._binding", None)
ffi.emit_python_code(sys.argv[2])
