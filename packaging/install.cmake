# What 'cmake --install' puts where. Everything is found relative to the program: the folder can be moved.
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR}/clothbench)

install(TARGETS clothbench COMPONENT program)
install(DIRECTORY rigs scenes materials DESTINATION ${share} COMPONENT program USE_SOURCE_PERMISSIONS)
install(FILES materials.db DESTINATION ${share} COMPONENT program)

if(NOT SKBUILD)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/share/locale DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT program)
endif()

# Man pages and completions, from --help.
set(manual ${CMAKE_BINARY_DIR}/manual)
file(GLOB manual_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/packaging/*.awk)
add_custom_command(OUTPUT ${manual}/man1/clothbench.1
  COMMAND ${CMAKE_SOURCE_DIR}/packaging/manual $<TARGET_FILE:clothbench> ${manual}
  DEPENDS clothbench packaging/manual ${manual_sources} VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}/man1/clothbench.1)
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program FILES_MATCHING PATTERN *.gz)
install(FILES ${manual}/bash/clothbench DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${manual}/zsh/_clothbench DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${manual}/fish/clothbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

install(FILES packaging/udev/60-clothbench.rules DESTINATION lib/udev/rules.d COMPONENT program)
install(DIRECTORY packaging/systemd/ DESTINATION lib/systemd/user COMPONENT program)
install(FILES packaging/desktop/clothbench-view.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
install(FILES packaging/desktop/clothbench.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT program)
include(packaging/library.cmake)

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)

include(packaging/debian.cmake)
