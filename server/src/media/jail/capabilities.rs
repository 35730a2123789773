//! Drops all capabilities of a child process for good.

use std::error::Error;

use rustix::io::Errno;
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits, set_no_new_privs,
};

/// Root gets no special rights, and none of these bits can be cleared.
const SECURE_BITS: CapabilitiesSecureBits = CapabilitiesSecureBits::NO_ROOT
    .union(CapabilitiesSecureBits::NO_ROOT_LOCKED)
    .union(CapabilitiesSecureBits::NO_SETUID_FIXUP)
    .union(CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED)
    .union(CapabilitiesSecureBits::KEEP_CAPS_LOCKED)
    .union(CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE)
    .union(CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED);
const NONE: CapabilitySets = CapabilitySets {
    effective: CapabilitySet::empty(),
    permitted: CapabilitySet::empty(),
    inheritable: CapabilitySet::empty(),
};

/// Drops all capabilities of this thread, which is the only one, and of all programs that it executes.
///
/// Changing the bounding set and the secure bits requires a capability itself. A process without it does not need the change:
/// with `no_new_privs`, no program that it executes gains capabilities.
pub(super) fn drop_all() -> Result<(), Box<dyn Error>> {
    set_no_new_privs(true)?;
    ignore_eperm(set_capabilities_secure_bits(SECURE_BITS))?;
    clear_ambient_capability_set()?;
    for number in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << number);
        match remove_capability_from_bounding_set(capability) {
            // Past the last capability of this kernel.
            Err(Errno::INVAL) => break,
            removed => ignore_eperm(removed)?,
        }
    }
    set_capabilities(None, NONE)?;
    if capabilities(None)? != NONE {
        return Err("cannot drop capabilities".into());
    }
    Ok(())
}

fn ignore_eperm(done: rustix::io::Result<()>) -> rustix::io::Result<()> {
    match done {
        Err(Errno::PERM) => Ok(()),
        done => done,
    }
}
