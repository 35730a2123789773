// Tries to get out of a sandbox by system calls, and tells what came of each: a line `name errno`, where 0 is success. Run by
// escape.rs in place of a tool, with files to open as its arguments. Those of the calls are such that a call which gets past the filter of system calls fails with another
// error than EPERM, or succeeds.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#define SYS_fsopen 430
#define SYS_fsconfig 431
#define SYS_fsmount 432
#define SYS_fspick 433
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_open_tree_attr
#define SYS_open_tree_attr 467
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

static void tell(const char *name, long answer) { printf("%s %d\n", name, answer < 0 ? errno : 0); }
#define CALL(number, ...) tell(#number, syscall(SYS_##number, __VA_ARGS__))

struct sets { unsigned effective, permitted, inheritable; };
struct head { unsigned version; int pid; };

static void capabilities(void) {
    struct head head = {0x20080522, 0};
    struct sets sets[2] = {{0}};
    errno = 0;
    long answer = syscall(SYS_capget, &head, sets);
    int any = 0;
    for (int i = 0; i < 2; i++) any |= sets[i].effective || sets[i].permitted || sets[i].inheritable;
    printf("capabilities %s\n", answer == 0 && !any ? "none" : "some");
    int bounding = 0;
    for (int i = 0; i < 64; i++) bounding |= prctl(PR_CAPBSET_READ, i) == 1;
    printf("bounding %s\n", bounding ? "some" : "none");
    printf("no_new_privs %s\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "set" : "unset");
    sets[0].effective = sets[0].permitted = ~0u;
    CALL(capset, &head, sets);
}

static void mounts(void) {
    // attr_set, attr_clr (MOUNT_ATTR_RDONLY), propagation, userns_fd: what made /usr and the input writable.
    unsigned long long attributes[4] = {0, 1, 0, 0};
    CALL(mount_setattr, AT_FDCWD, "/usr", 0, attributes, sizeof attributes);
    CALL(mount_setattr, AT_FDCWD, "input", 0, attributes, sizeof attributes);
    CALL(open_tree, AT_FDCWD, "/usr", 1);
    CALL(open_tree_attr, AT_FDCWD, "/usr", 1, attributes, sizeof attributes);
    CALL(move_mount, AT_FDCWD, "/usr", AT_FDCWD, "/tmp", 0);
    CALL(fsopen, "tmpfs", 0);
    CALL(fsconfig, -1, 0, 0, 0, 0);
    CALL(fsmount, -1, 0, 0);
    CALL(fspick, AT_FDCWD, "/usr", 0);
    CALL(mount, "/usr", "/usr", 0, 4096 | 32, 0);
    CALL(umount2, "/usr", 2);
    CALL(pivot_root, "/", "/");
    CALL(chroot, "/usr");
}

static void processes(void) {
    CALL(unshare, CLONE_NEWUSER);
    CALL(unshare, CLONE_NEWNS);
    CALL(setns, 0, 0);
    CALL(clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    CALL(clone, SIGCHLD, 0, 0, 0, 0);
    CALL(clone, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_NEWNET, 0, 0, 0, 0);
    CALL(clone3, 0, 0);
#ifdef SYS_fork
    CALL(fork, 0);
    CALL(vfork, 0);
#endif
    CALL(ptrace, 0, 0, 0, 0);
    CALL(process_vm_readv, getppid(), 0, 0, 0, 0, 0);
    CALL(process_vm_writev, getppid(), 0, 0, 0, 0, 0);
    CALL(pidfd_open, getppid(), 0);
    CALL(kill, getppid(), 0);
    CALL(kill, -1, 0);
    CALL(tgkill, getppid(), getppid(), 0);
    CALL(tkill, getppid(), 0);
    CALL(rt_sigqueueinfo, getppid(), 0, 0);
    CALL(prlimit64, getppid(), 7, 0, 0);
    CALL(setsid, 0);
    CALL(setpgid, 0, 0);
    CALL(sched_setaffinity, getppid(), 0, 0);
    CALL(fcntl, 1, F_SETOWN, getppid());
    CALL(ioctl, 0, 0x5412, "x");
    CALL(prctl, PR_SET_SECCOMP, 0, 0, 0, 0);
    CALL(setuid, 0);
    CALL(setgid, 0);
    CALL(setgroups, 0, 0);
}

static void kernel(void) {
    CALL(bpf, 0, 0, 0);
    CALL(perf_event_open, 0, 0, 0, 0, 0);
    CALL(userfaultfd, 0);
    CALL(io_uring_setup, 1, 0);
    CALL(io_uring_enter, -1, 0, 0, 0, 0, 0);
    CALL(io_uring_register, -1, 0, 0, 0);
    CALL(add_key, "user", "x", "x", 1, -1);
    CALL(request_key, "user", "x", 0, 0);
    CALL(keyctl, 0, -3, 0);
    CALL(init_module, 0, 0, "");
    CALL(finit_module, -1, "", 0);
    CALL(delete_module, "x", 0);
    CALL(kexec_load, 0, 0, 0, 0);
    CALL(reboot, 0, 0, 0, 0);
    CALL(swapon, "x", 0);
    CALL(acct, 0);
    CALL(quotactl, 0, 0, 0, 0);
    CALL(syslog, 3, 0, 0);
    CALL(open_by_handle_at, AT_FDCWD, 0, 0);
    CALL(name_to_handle_at, AT_FDCWD, "/usr", 0, 0, 0);
    CALL(mknodat, AT_FDCWD, "device", S_IFBLK | 0600, 0x800);
    CALL(memfd_create, "x", 0);
    CALL(shmget, 0, 4096, 0600);
    CALL(fanotify_init, 0, 0);
    CALL(landlock_create_ruleset, 0, 0, 1);
    CALL(seccomp, 1, 0, 0);
    CALL(personality, 0);
#ifdef __x86_64__
    // The numbers of x32, which a list by numbers alone would not know.
    tell("x32_mount_setattr", syscall(0x40000000 | SYS_mount_setattr, AT_FDCWD, "/usr", 0, 0, 0));
    tell("x32_socket", syscall(0x40000000 | SYS_socket, 2, 1, 0));
#endif
}

static void sockets(void) {
    for (int family = 1; family < 45; family++) {
        int fd = syscall(SYS_socket, family, 1, 0);
        if (fd >= 0 || errno != EPERM) printf("socket_%d %d\n", family, fd < 0 ? errno : 0);
    }
    int pair[2];
    CALL(socket, 1, 1, 0);
    CALL(socketpair, 1, 1, 0, pair);
    CALL(connect, 0, 0, 0);
    CALL(bind, 0, 0, 0);
    CALL(sendmsg, 0, 0, 0);
}

// Files: what could be opened is told by its name, as what is refused differs by confinement.
static void files(int count, char **names) {
    for (int i = 0; i < count; i++) {
        const char *name = names[i] + 2;
        int flags = names[i][0] == 'r' ? O_RDONLY : names[i][0] == 'c' ? O_WRONLY | O_CREAT : O_WRONLY | O_APPEND;
        int fd = open(name, flags, 0600);
        printf("%s %s\n", names[i], fd >= 0 ? "opened" : "kept");
        if (fd >= 0 && names[i][0] != 'r' && write(fd, "x", 1) != 1) printf("%s full\n", names[i]);
    }
}

// The memory of who started it.
static void parent(void) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", getppid());
    printf("parent %s\n", open(name, O_RDONLY) >= 0 ? "opened" : "kept");
}

int main(int count, char **names) {
    setvbuf(stdout, 0, _IOFBF, 1 << 16);
    capabilities();
    mounts();
    processes();
    kernel();
    sockets();
    parent();
    files(count - 1, names + 1);
    return 0;
}
