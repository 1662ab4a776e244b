include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
pkg_check_modules(clothbench_JANSSON REQUIRED IMPORTED_TARGET jansson) # its types are in some headers
include(${CMAKE_CURRENT_LIST_DIR}/clothbenchTargets.cmake)
set_property(TARGET clothbench::clothbench APPEND PROPERTY INTERFACE_LINK_LIBRARIES PkgConfig::clothbench_JANSSON)
