// wire: a line between two network namespaces, in user space, with a delay, a rate, a queue and a loss of its own.
//
//   wire NAMESPACE_A DEVICE_A NAMESPACE_B DEVICE_B DELAY_US RATE_BPS QUEUE_BYTES LOSS_PPM SEED COUNTS
//
// Both devices are TUN devices that exist already, addresses and all; the wire attaches to them and says "ready".
// What one kernel sends into its device comes out of the other's, in both directions, each with its own line:
//
//   arrives -> dropped when the queue is full -> takes its time on the line -> perhaps lost -> DELAY_US -> delivered
//
// What it has carried so far stands in the file COUNTS, which others map as it does: for A to B and then for B to A
// five 64-bit numbers: packets delivered, packets dropped at the queue, packets lost, bytes delivered and, of those,
// bytes of the TCP segments' payload. It ends when its standard input does, or by SIGTERM or SIGINT. Nobody's death can
// leave it behind: the other end of its input goes too.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
  LARGEST_PACKET = 1 << 16,
  // Packets taken from one device before the other has its turn.
  BATCH = 64,
};

static const uint64_t SECOND = 1000000000;
// What is due within this time leaves together: a wake-up for every packet costs more than it is worth.
static const uint64_t GRAIN = 50000;

struct line {
  uint64_t delay;     // nanoseconds
  double byte_time;   // nanoseconds
  uint64_t queue;     // bytes that may wait for the line
  uint64_t loss;      // of 2^32
};

struct packet {
  struct packet *next;
  uint64_t due;
  size_t length;
  unsigned char bytes[];
};

// What others read while it runs.
struct counts {
  uint64_t delivered, dropped, lost, bytes, payload;
};

// One direction.
struct lane {
  int from, to;
  // The line is taken until then. What remains of it, in bytes, is the length of the queue.
  uint64_t free_at;
  struct packet *first, *last;
  uint64_t random;
  struct counts *counts;
};


static volatile sig_atomic_t ended;

static void end(int number) {
  (void)number;
  ended = 1;
}

static void die(const char *what) {
  fprintf(stderr, "wire: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

// A uniform 32-bit number: SplitMix64, which any seed suits.
static uint32_t roll(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (uint32_t)((z ^ z >> 31) >> 32);
}

static uint64_t number(const char *text) {
  char *rest;
  errno = 0;
  uint64_t value = strtoull(text, &rest, 10);
  if (errno || *rest || rest == text || *text == '-') {
    fprintf(stderr, "wire: not a number: %s\n", text);
    exit(2);
  }
  return value;
}

// A TUN device belongs to the namespace in which it is opened; the descriptor works from anywhere.
static int attach(const char *namespace, const char *device) {
  char path[256];
  snprintf(path, sizeof path, "/var/run/netns/%s", namespace);
  int space = open(path, O_RDONLY | O_CLOEXEC);
  if (space < 0 || setns(space, CLONE_NEWNET) != 0) die(path);
  close(space);

  int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (tun < 0) die("/dev/net/tun");
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
  if (strlen(device) >= sizeof request.ifr_name) {
    errno = ENAMETOOLONG;
    die(device);
  }
  strcpy(request.ifr_name, device);
  if (ioctl(tun, TUNSETIFF, &request) != 0) die(device);
  return tun;
}

static void take(struct lane *lane, const struct line *line) {
  static unsigned char buffer[LARGEST_PACKET];
  for (int count = 0; count < BATCH; count++) {
    ssize_t length = read(lane->from, buffer, sizeof buffer);
    if (length <= 0) return;

    uint64_t time = now();
    if (lane->free_at < time) lane->free_at = time;
    double waiting = (double)(lane->free_at - time) / line->byte_time;
    if (waiting + (double)length > (double)line->queue) {
      lane->counts->dropped++;
      continue;
    }
    lane->free_at += (uint64_t)((double)length * line->byte_time);
    // A packet that is lost on its way has had its time on the line all the same.
    if (roll(&lane->random) < line->loss) {
      lane->counts->lost++;
      continue;
    }
    struct packet *packet = malloc(sizeof *packet + (size_t)length);
    if (!packet) die("memory");
    packet->next = NULL;
    packet->due = lane->free_at + line->delay;
    packet->length = (size_t)length;
    memcpy(packet->bytes, buffer, (size_t)length);
    if (lane->first) lane->last->next = packet;
    else lane->first = packet;
    lane->last = packet;
  }
}

// Bytes of the file, or of a request or an answer's head, in an IPv4 packet that holds TCP.
static size_t payload(const struct packet *packet) {
  const unsigned char *bytes = packet->bytes;
  if (packet->length < 40 || bytes[0] >> 4 != 4 || bytes[9] != IPPROTO_TCP) return 0;
  size_t ip = (size_t)(bytes[0] & 15) * 4;
  if (ip + 20 > packet->length) return 0;
  size_t headers = ip + (size_t)(bytes[ip + 12] >> 4) * 4;
  return headers < packet->length ? packet->length - headers : 0;
}

static void deliver(struct lane *lane, uint64_t time) {
  while (lane->first && lane->first->due <= time) {
    struct packet *packet = lane->first;
    lane->first = packet->next;
    // A kernel that cannot take it has dropped it, as a network card would.
    if (write(lane->to, packet->bytes, packet->length) == (ssize_t)packet->length) {
      lane->counts->delivered++;
      lane->counts->bytes += packet->length;
      lane->counts->payload += payload(packet);
    } else {
      lane->counts->dropped++;
    }
    free(packet);
  }
}

// Until the next packet is due; NULL when there is none.
static struct timespec *patience(const struct lane lanes[2], uint64_t time, struct timespec *store) {
  uint64_t due = UINT64_MAX;
  for (int i = 0; i < 2; i++) {
    if (lanes[i].first && lanes[i].first->due < due) due = lanes[i].first->due;
  }
  if (due == UINT64_MAX) return NULL;
  uint64_t wait = due > time + GRAIN ? due - time : GRAIN;
  store->tv_sec = (time_t)(wait / SECOND);
  store->tv_nsec = (long)(wait % SECOND);
  return store;
}

static void carry(struct lane lanes[2], const struct line *line) {
  while (!ended) {
    uint64_t time = now();
    for (int i = 0; i < 2; i++) deliver(&lanes[i], time);

    struct pollfd ready[3] = {
      {.fd = lanes[0].from, .events = POLLIN},
      {.fd = lanes[1].from, .events = POLLIN},
      {.fd = STDIN_FILENO, .events = POLLIN},
    };
    struct timespec store;
    if (ppoll(ready, 3, patience(lanes, time, &store), NULL) < 0) {
      if (errno == EINTR) continue;
      die("ppoll");
    }
    for (int i = 0; i < 2; i++) {
      if (ready[i].revents & POLLIN) take(&lanes[i], line);
    }
    char ignored;
    if (ready[2].revents && read(STDIN_FILENO, &ignored, 1) <= 0) return;
  }
}

static struct counts *map_counts(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, 2 * sizeof(struct counts)) != 0) die(path);
  void *map = mmap(NULL, 2 * sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) die(path);
  close(file);
  return map;
}

int main(int count, char **words) {
  if (count != 11) {
    fputs("usage: wire NAMESPACE_A DEVICE_A NAMESPACE_B DEVICE_B DELAY_US RATE_BPS QUEUE_BYTES LOSS_PPM SEED COUNTS\n",
          stderr);
    return 2;
  }
  uint64_t rate = number(words[6]), loss = number(words[8]), seed = number(words[9]);
  if (rate == 0 || loss > 1000000) {
    fprintf(stderr, "wire: the rate must be above 0, the loss at most 1000000\n");
    return 2;
  }
  const struct line line = {
    .delay = number(words[5]) * 1000,
    .byte_time = 8.0 * (double)SECOND / (double)rate,
    .queue = number(words[7]),
    .loss = (uint64_t)((double)loss / 1e6 * 4294967296.0),
  };
  int a = attach(words[1], words[2]), b = attach(words[3], words[4]);
  struct counts *counts = map_counts(words[10]);
  struct lane lanes[2] = {
    {.from = a, .to = b, .random = seed, .counts = &counts[0]},
    {.from = b, .to = a, .random = ~seed, .counts = &counts[1]},
  };

  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  // The line must not wait for those who use it. Both are wishes: without them it is only less exact.
  prctl(PR_SET_TIMERSLACK, 1);
  setpriority(PRIO_PROCESS, 0, -15);

  puts("ready");
  fflush(stdout);
  carry(lanes, &line);
  return 0;
}
