#ifndef SHEAF_CSYSTEM_SHIM_H
#define SHEAF_CSYSTEM_SHIM_H

// System calls that Swift's Glibc and Darwin modules lack or that differ between Linux and macOS.

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/xattr.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#pragma clang assume_nonnull begin

// Renames within a directory and fails with EEXIST if the new name is taken, in one step.
static inline int CSystem_renameExclusively(int directory, const char *from, const char *to) {
#ifdef __linux__
  return (int)syscall(SYS_renameat2, directory, from, directory, to, 1 /* RENAME_NOREPLACE */);
#else
  return renameatx_np(directory, from, directory, to, RENAME_EXCL);
#endif
}

static inline int CSystem_setAttribute(int file, const char *name, const void *value, size_t size) {
#ifdef __linux__
  return fsetxattr(file, name, value, size, 0);
#else
  return fsetxattr(file, name, value, size, 0, 0);
#endif
}

static inline ssize_t CSystem_getAttribute(int file, const char *name, void *value, size_t size) {
#ifdef __linux__
  return fgetxattr(file, name, value, size);
#else
  return fgetxattr(file, name, value, size, 0, 0);
#endif
}

// Names the calling thread for debuggers and `top`; long names are cut.
static inline void CSystem_nameThread(const char *name) {
#ifdef __linux__
  prctl(PR_SET_NAME, name, 0, 0, 0);
#else
  pthread_setname_np(name);
#endif
}

#pragma clang assume_nonnull end

#endif
