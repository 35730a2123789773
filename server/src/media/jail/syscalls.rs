//! The system calls of the tools: those that `strace` shows for all pairs of types, and variants of them that other versions of the
//! C libraries use.
//!
//! A call either cannot affect anything outside of the process, or [`super::seccomp`] checks its arguments. None creates a process, a
//! connection, a namespace or a mount, or acts on another process.

use libc::c_long;

/// Calls that every program needs.
pub(super) const COMMON: &[c_long] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_munmap,
    // Files; namespaces or Landlock restrict which.
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fadvise64,
    libc::SYS_fallocate,
    libc::SYS_fdatasync,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_fsync,
    libc::SYS_ftruncate,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_lseek,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_pselect6,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_statfs,
    libc::SYS_statx,
    libc::SYS_umask,
    libc::SYS_write,
    libc::SYS_writev,
    // Threads, and signals within the process.
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_get_robust_list,
    libc::SYS_membarrier,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_sigaltstack,
    // Clocks.
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    libc::SYS_times,
    // Information on the process and the machine.
    libc::SYS_capget,
    libc::SYS_getcpu,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getrandom,
    libc::SYS_getresgid,
    libc::SYS_getresuid,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sysinfo,
    libc::SYS_uname,
];

/// Older variants of these calls, which only x86-64 has.
#[cfg(target_arch = "x86_64")]
pub(super) const LEGACY: &[c_long] = &[
    libc::SYS_access,
    libc::SYS_arch_prctl,
    libc::SYS_dup2,
    libc::SYS_getrlimit,
    libc::SYS_lstat,
    libc::SYS_open,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_select,
    libc::SYS_stat,
    libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const LEGACY: &[c_long] = &[];

/// For programs that the jail executes. The filter stays in force after exec.
pub(super) const EXEC: &[c_long] = &[libc::SYS_execve];

/// Every architecture has this call, but the `libc` crate defines it only for x86-64.
#[cfg(target_arch = "x86_64")]
const RENAMEAT: c_long = libc::SYS_renameat;
#[cfg(not(target_arch = "x86_64"))]
const RENAMEAT: c_long = 38;

/// For programs that rename or delete files that they wrote.
pub(super) const RENAME: &[c_long] = &[
    RENAMEAT,
    libc::SYS_renameat2,
    libc::SYS_unlinkat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
];

/// NUMA memory policy: libnuma queries it when ffmpeg starts, and x265 binds memory. Libraries lock memory that holds secrets.
pub(super) const MEMORY_POLICY: &[c_long] =
    &[libc::SYS_get_mempolicy, libc::SYS_mbind, libc::SYS_mlock, libc::SYS_munlock, libc::SYS_set_mempolicy];

/// Refused with `ENOSYS`, so that the C library falls back to older calls. The flags of `clone3` are in memory, which a filter cannot
/// read.
pub(super) const UNIMPLEMENTED: &[c_long] = &[libc::SYS_clone3, libc::SYS_mseal];
