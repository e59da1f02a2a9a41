#ifndef SHEAF_CSPAWN_SHIM_H
#define SHEAF_CSPAWN_SHIM_H

#include <spawn.h>

// glibc has both, but declares them only under _GNU_SOURCE, which Swift's Glibc module is built without.
#if defined(__linux__)
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *_Nonnull, const char *_Nonnull);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull, int);
#endif

#endif
