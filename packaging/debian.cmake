# Debian packages by CPack: ./run package. clothbench, libclothbench0, libclothbench-dev, clothbench-doc.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clothbench)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "clothbench developers <clothbench@clothbench.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development doc)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME clothbench)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "clothbench drives a linear stage, reads a load cell, and keeps every
 measurement in one SQLite file. It fits laws of friction, stretch, bending,
 air and drape with their uncertainty, simulates cloth with them, and
 compares predictions with measurements.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, librsvg2-bin, libsdl2-2.0-0")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "clothbench-doc, tetgen, ffmpeg, blender")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libclothbench0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/deb/triggers ${CMAKE_SOURCE_DIR}/packaging/deb/shlibs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The library of clothbench: laws of cloth with their uncertainty, the
 database of fabrics, fits, the cloth simulator and the workflows.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclothbench-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libclothbench0 (= ${PROJECT_VERSION}-1)")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Header, pkg-config file, CMake package and example programs of
 libclothbench.")

set(CPACK_DEBIAN_DOC_PACKAGE_NAME clothbench-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_COMPONENT_DOC_DESCRIPTION "Guide, reference and method of clothbench: for people at a friction bench
 and at a simulator.")

# What Debian's policy wants in every package.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/debian-changelog CONTENT "clothbench (@PROJECT_VERSION@-1) bookworm; urgency=medium

  * See CHANGELOG.md.

 -- clothbench developers <clothbench@clothbench.invalid>  Thu, 01 Jan 2026 00:00:00 +0000
" @ONLY)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/changelog.Debian.gz
  COMMAND gzip -9nc ${CMAKE_BINARY_DIR}/debian-changelog > ${CMAKE_BINARY_DIR}/changelog.Debian.gz
  DEPENDS ${CMAKE_BINARY_DIR}/debian-changelog)
add_custom_target(debian_changelog ALL DEPENDS ${CMAKE_BINARY_DIR}/changelog.Debian.gz)
foreach(pair program:clothbench library:libclothbench0 development:libclothbench-dev doc:clothbench-doc)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${CMAKE_BINARY_DIR}/changelog.Debian.gz packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${component})
endforeach()
include(CPack)
