//! A seccomp filter: allows the system calls that a tool needs and refuses all others with `EPERM`.

use std::collections::BTreeMap;
use std::error::Error;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use super::profile::Profile;
use super::syscalls::UNIMPLEMENTED;

/// Duplicating, flags and locks. Not `F_SETOWN`, which can send signals to other processes.
const FCNTL: [i32; 12] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
];
/// Terminal queries and the number of readable bytes. Not `TIOCSTI`, which injects terminal input.
const IOCTL: [u64; 4] = [libc::TCGETS, libc::TCGETS2, libc::TIOCGWINSZ, libc::FIONREAD];
/// Names of threads and memory regions, and queries of the process's privileges.
const PRCTL: [i32; 5] = [
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_VMA,
    libc::PR_CAPBSET_READ,
    libc::PR_GET_NO_NEW_PRIVS,
];
/// Flags that `clone` must not have: they create namespaces.
const NAMESPACES: i32 = libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWUTS;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Installs the filter for this process and its threads, for good.
pub(super) fn install(profile: Profile) -> Result<(), Box<dyn Error>> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let absent: Rules = UNIMPLEMENTED.iter().map(|call| (*call, Vec::new())).collect();
    // If both filters refused a call, the result of the later one would count, so it allows the calls that the first one refuses.
    let filters = [
        SeccompFilter::new(absent, SeccompAction::Allow, refuse(libc::ENOSYS), arch)?,
        SeccompFilter::new(allowed(profile)?, refuse(libc::EPERM), SeccompAction::Allow, arch)?,
    ];
    let programs: Vec<BpfProgram> = filters.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?;
    // The first filter must not refuse the calls that install the second.
    programs.iter().try_for_each(|program| Ok(apply_filter(program)?))
}

fn refuse(errno: i32) -> SeccompAction {
    SeccompAction::Errno(errno.unsigned_abs())
}

fn allowed(profile: Profile) -> Result<Rules, BackendError> {
    // The process id does not change on exec.
    let own = u64::from(std::process::id());
    let mut rules: Rules = profile
        .allowed_syscalls()
        .chain(UNIMPLEMENTED.iter().copied())
        .map(|call| (call, Vec::new()))
        .collect();
    let words = |list: &[i32]| list.iter().map(|word| u64::from(word.unsigned_abs())).collect::<Vec<_>>();
    let argued: [(c_long, u8, Vec<u64>); 6] = [
        (libc::SYS_fcntl, 1, words(&FCNTL)),
        (libc::SYS_ioctl, 1, IOCTL.to_vec()),
        (libc::SYS_prctl, 0, words(&PRCTL)),
        (libc::SYS_kill, 0, vec![own]),
        (libc::SYS_tgkill, 0, vec![own]),
        // Limits of this process.
        (libc::SYS_prlimit64, 0, vec![0, own]),
    ];
    for (call, index, values) in argued {
        let rule = |value: u64| SeccompRule::new(vec![is(index, value)?]);
        rules.insert(call, values.into_iter().map(rule).collect::<Result<_, _>>()?);
    }
    let thread = vec![has(libc::CLONE_THREAD, libc::CLONE_THREAD)?, has(NAMESPACES, 0)?];
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(thread)?]);
    Ok(rules)
}

/// The 32-bit argument at `index` equals `value`.
fn is(index: u8, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

/// The bits of `mask` in the first argument equal `flags`.
fn has(mask: i32, flags: i32) -> Result<SeccompCondition, BackendError> {
    let (mask, flags) = (u64::from(mask.unsigned_abs()), u64::from(flags.unsigned_abs()));
    SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(mask), flags)
}
