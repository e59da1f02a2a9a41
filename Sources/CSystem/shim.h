#ifndef SHEAF_CSYSTEM_SHIM_H
#define SHEAF_CSYSTEM_SHIM_H

// System calls that Swift's Glibc and Darwin modules lack or that differ between Linux and macOS.

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/xattr.h>

#ifdef __APPLE__
#include <netinet/tcp.h>
#endif

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

// Takes space on the disk for the first bytes of a file; those that are there stay.
static inline int CSystem_reserve(int file, off_t size) {
#ifdef __linux__
  return (int)syscall(SYS_fallocate, file, 0, (off_t)0, size);
#else
  fstore_t space = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, size, 0};
  return fcntl(file, F_PREALLOCATE, &space);
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

// Asks the system to begin writing the file's dirty pages, without waiting for them. A hint: what it did not do, a sync
// will.
static inline void CSystem_startWriteback(int file) {
#if defined(__linux__) && defined(SYS_sync_file_range)
  syscall(SYS_sync_file_range, file, 0L, 0L, 2 /* SYNC_FILE_RANGE_WRITE */);
#else
  (void)file;
#endif
}

// Copies bytes between two files at the same offset, sharing them on the disk where the file system can; returns how many,
// 0 at the end of the file and -1 where this cannot be done.
static inline ssize_t CSystem_copyRange(int from, int to, int64_t offset, size_t count) {
#if defined(__linux__) && defined(SYS_copy_file_range)
  int64_t in = offset, out = offset;
  return syscall(SYS_copy_file_range, from, &in, to, &out, count, 0);
#else
  errno = ENOTSUP;
  return -1;
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

// Round-trip times of a TCP connection in microseconds; 0 where the system does not know.
typedef struct {
  // As seen by this side as a receiver; it sends next to nothing, so its own packets tell little.
  uint32_t receiver;
  // As seen by this side as a sender, smoothed.
  uint32_t sender;
  uint32_t least;
} CSystem_RoundTrip;

#ifdef __linux__
// The kernel's struct tcp_info (stable since 4.9) by place: the C library's lacks its end, and <linux/tcp.h> cannot be
// included beside it.
typedef struct {
  uint8_t bytes[8];
  uint32_t words[24];
  uint64_t counters[4];
  uint32_t more[4];
} CSystem_TCPInfo;
_Static_assert(sizeof(CSystem_TCPInfo) == 152, "tcpi_min_rtt is the word at 148");
#endif

static inline int CSystem_roundTrip(int socket, CSystem_RoundTrip *result) {
  result->receiver = result->sender = result->least = 0;
#if defined(__linux__)
  CSystem_TCPInfo info = {0};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, 11 /* TCP_INFO */, &info, &size)) return -1;
  result->sender = info.words[15];
  result->receiver = info.words[21];
  // An older kernel fills in less.
  if (size >= sizeof info && info.more[3] != UINT32_MAX) result->least = info.more[3];
  return 0;
#elif defined(TCP_CONNECTION_INFO)
  struct tcp_connection_info info = {0};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &size)) return -1;
  // In milliseconds there.
  result->sender = info.tcpi_srtt * 1000;
  return 0;
#else
  return -1;
#endif
}

#pragma clang assume_nonnull end

#endif
