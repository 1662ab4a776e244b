# libclothbench: every module below the command line as one shared library. Its symbols are the functions of clothbench.h; the header, a
# .pc file and a CMake package go with it.
set(library_modules core laws store fit sim_geometry sim_cloth sim_models sim_scene validate exchange lab api)
set(header ${CMAKE_SOURCE_DIR}/api/include/clothbench.h)
set(map ${CMAKE_SOURCE_DIR}/api/clothbench.map)

set(objects ${library_modules})
list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
add_library(libclothbench SHARED ${objects})
target_include_directories(libclothbench INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(libclothbench PRIVATE m OpenMP::OpenMP_C PkgConfig::YAML PkgConfig::GSL PkgConfig::ZLIB PkgConfig::ZSTD PkgConfig::ZIP PkgConfig::EXPAT PkgConfig::SQLITE
  PkgConfig::XXHASH PkgConfig::JANSSON PkgConfig::JPEG PkgConfig::PNG PkgConfig::GMP PkgConfig::NETTLE ${CHOLMOD_LIBRARY})
target_link_options(libclothbench PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined)
set_target_properties(libclothbench PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME clothbench EXPORT_NAME clothbench
  LINK_DEPENDS ${map})
if(NOT SKBUILD) # a wheel has no links
  set_target_properties(libclothbench PROPERTIES VERSION 0.1.0 SOVERSION 0)
endif()

install(TARGETS libclothbench EXPORT clothbench LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(DIRECTORY api/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)

# Both files find the library from where they lie.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(packaging/clothbench.pc.in ${CMAKE_BINARY_DIR}/clothbench.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/clothbench.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/clothbench)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/clothbenchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/clothbenchConfigVersion.cmake DESTINATION ${package} COMPONENT development)
install(EXPORT clothbench NAMESPACE clothbench:: FILE clothbenchConfig.cmake DESTINATION ${package} COMPONENT development)

# The Python package has the library beside its modules (pyproject.toml).
if(SKBUILD)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/api/python/binding.py ${header} ${CMAKE_BINARY_DIR}/_binding.py COMMAND_ERROR_IS_FATAL ANY)
  install(TARGETS libclothbench LIBRARY DESTINATION clothbench COMPONENT python)
  install(FILES ${CMAKE_BINARY_DIR}/_binding.py DESTINATION clothbench COMPONENT python)
endif()
