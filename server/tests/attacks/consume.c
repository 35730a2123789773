// Takes more than a conversion may have, in one of many ways, and holds it. Run by consume.rs in place of a
// tool: `consume WAY MEBIBYTES SECONDS`; prints what it took, and holds it for so long where nobody stops it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEBI = 1 << 20 };
static char portion[MEBI];

static void *rest(void *unused) {
    for (;;) sleep(3600);
    return unused;
}

// Fills a file of that many mebibytes and keeps it open; the bytes that fit.
static long fill(const char *name, int flags, long mebibytes) {
    int fd = open(name, O_WRONLY | flags, 0600);
    long written = 0;
    for (long i = 0; fd >= 0 && i < mebibytes; i++) {
        long count = write(fd, portion, MEBI);
        if (count <= 0) break;
        written += count;
    }
    return written;
}

static long take(const char *way, long mebibytes) {
    long taken = 0;
    char name[64];
    if (!strcmp(way, "memory") || !strcmp(way, "shared")) {
        int sharing = *way == 's' ? MAP_SHARED : MAP_PRIVATE;
        for (; taken < mebibytes; taken++) {
            char *page = mmap(0, MEBI, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
            if (page == MAP_FAILED) break;
            memset(page, 1, MEBI);
        }
        return taken * MEBI;
    }
    if (!strcmp(way, "threads")) {
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 64 << 10);
        for (pthread_t thread; taken < mebibytes && !pthread_create(&thread, &small, rest, 0); taken++) {}
        return taken;
    }
    for (int i = 0; i < 32; i++) {
        snprintf(name, sizeof name, "file-%d", i);
        if (!strcmp(way, "unlinked")) {
            taken += fill(name, O_CREAT, mebibytes / 32);
            unlink(name);
        } else if (!strcmp(way, "unnamed")) {
            taken += fill(".", O_TMPFILE, mebibytes / 32);
        } else {
            taken += fill(name, O_CREAT, mebibytes / 32);
        }
    }
    return taken;
}

int main(int count, char **words) {
    if (count < 4) return 2;
    printf("%ld\n", take(words[1], atol(words[2])));
    fflush(stdout);
    sleep(atoi(words[3]));
    return 0;
}
