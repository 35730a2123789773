//! Capabilities: none is left to a child, whoever started it, and none comes back.

use std::error::Error;

use rustix::io::Errno;
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits, set_no_new_privs,
};

/// User 0 is one like any other, and none of this can be taken back.
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

/// Gives up all capabilities of this thread, which is the only one, and of whatever it becomes.
///
/// Emptying the bounding set and the secure bits take a capability themselves. Who does not have it gains nothing by these
/// either: no program that it starts has more than it has.
pub(super) fn drop_all() -> Result<(), Box<dyn Error>> {
    set_no_new_privs(true)?;
    ignore_eperm(set_capabilities_secure_bits(SECURE_BITS))?;
    clear_ambient_capability_set()?;
    for number in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << number);
        match remove_capability_from_bounding_set(capability) {
            // One behind the last that this kernel has.
            Err(Errno::INVAL) => break,
            removed => ignore_eperm(removed)?,
        }
    }
    set_capabilities(None, NONE)?;
    if capabilities(None)? != NONE {
        return Err("capabilities could not be given up".into());
    }
    Ok(())
}

fn ignore_eperm(done: rustix::io::Result<()>) -> rustix::io::Result<()> {
    match done {
        Err(Errno::PERM) => Ok(()),
        done => done,
    }
}
