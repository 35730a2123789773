//! System calls that no converter needs and that attacks begin with are refused: sockets, name spaces, mounts, tracing, keys,
//! programs in the kernel. Two filters, as the calls are refused in two ways.

use std::collections::BTreeMap;
use std::error::Error;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

/// Refused whatever the arguments are.
const REFUSED: [libc::c_long; 32] = [
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_open_by_handle_at,
    libc::SYS_acct,
    libc::SYS_quotactl,
];

/// Refuses them to this process and its children, for good.
pub(super) fn enter() -> Result<(), Box<dyn Error>> {
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.into_iter().map(|call| (call, Vec::new())).collect();
    let user_namespace = libc::CLONE_NEWUSER as u64;
    let asks_for_one = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(user_namespace),
        user_namespace,
    )?;
    refused.insert(libc::SYS_clone, vec![SeccompRule::new(vec![asks_for_one])?]);
    install(refused, libc::EPERM)?;
    // The flags of clone3 lie in memory, where a filter does not look: libc falls back to clone where it is "not there".
    install(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)
}

fn install(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> Result<(), Box<dyn Error>> {
    let refuse = SeccompAction::Errno(errno.unsigned_abs());
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let program: BpfProgram = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?.try_into()?;
    Ok(apply_filter(&program)?)
}
