# libclothbench: every module below the command line as one shared library. Its symbols are the functions and tables of the public
# headers, under one version; headers, a .pc file and a CMake package go with it.
set(library_modules core laws store fit sim_geometry sim_cloth sim_models sim_scene validate exchange lab)
set(library_folders core laws store fit sim/geometry sim/cloth sim/models sim/scene sim/check lab/exchange lab)
list(TRANSFORM library_folders APPEND /include/*.h)
file(GLOB library_headers CONFIGURE_DEPENDS ${library_folders})

# The list of symbols follows the headers.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${library_headers})

set(symbols "")
foreach(header ${library_headers})
  file(READ ${header} text)
  string(REGEX MATCHALL "(cb|law|fit|sim|val|exch|lab)_[a-z0-9_A-Z]*\\(" functions "${text}")
  string(REGEX MATCHALL "extern [^;({]*" tables "${text}")
  list(TRANSFORM functions REPLACE "\\(" "")
  list(TRANSFORM tables REPLACE "extern [^;]*[ *]([a-z][a-z0-9_A-Z]*)(\\[[^;]*)?$" "\\1")
  list(APPEND symbols ${functions} ${tables})
endforeach()
list(REMOVE_DUPLICATES symbols)
list(SORT symbols)
list(JOIN symbols ";\n    " symbols)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/clothbench.map CONTENT "CLOTHBENCH_0 {\n  global:\n    @symbols@;\n  local: *;\n};\n" @ONLY)

set(objects ${library_modules})
list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
add_library(libclothbench SHARED ${objects})
target_include_directories(libclothbench INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/clothbench>)
target_link_libraries(libclothbench PRIVATE m OpenMP::OpenMP_C PkgConfig::YAML PkgConfig::GSL PkgConfig::ZLIB PkgConfig::ZSTD PkgConfig::ZIP PkgConfig::EXPAT PkgConfig::SQLITE
  PkgConfig::XXHASH PkgConfig::JANSSON PkgConfig::JPEG PkgConfig::PNG PkgConfig::GMP PkgConfig::NETTLE ${CHOLMOD_LIBRARY})
target_link_options(libclothbench PRIVATE -Wl,--version-script=${CMAKE_BINARY_DIR}/clothbench.map -Wl,--no-undefined)
set_target_properties(libclothbench PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME clothbench EXPORT_NAME clothbench VERSION 0.1.0 SOVERSION 0
  LINK_DEPENDS ${CMAKE_BINARY_DIR}/clothbench.map)

install(TARGETS libclothbench EXPORT clothbench LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(FILES ${library_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/clothbench COMPONENT development)
install(DIRECTORY packaging/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)

# Both files find the library from where they lie.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(packaging/clothbench.pc.in ${CMAKE_BINARY_DIR}/clothbench.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/clothbench.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/clothbench)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/clothbenchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES packaging/clothbenchConfig.cmake ${CMAKE_BINARY_DIR}/clothbenchConfigVersion.cmake DESTINATION ${package} COMPONENT development)
install(EXPORT clothbench NAMESPACE clothbench:: FILE clothbenchTargets.cmake DESTINATION ${package} COMPONENT development)
