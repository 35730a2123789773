//! Landlock: some paths are readable, one directory is writable, everything else is denied. TCP is denied too.
//! <https://docs.kernel.org/userspace-api/landlock.html>

use std::error::Error;
use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};

/// Every right of this ABI is denied unless granted. An older kernel enforces the rights that it knows.
const RIGHTS: ABI = ABI::V6;

/// Devices that programs expect.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"];

/// Restricts this process and its children to these paths, for good.
pub(super) fn restrict(read: &[PathBuf], write: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let devices: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::WriteFile;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(RIGHTS))?
        .handle_access(AccessNet::from_all(RIGHTS))?
        .scope(Scope::from_all(RIGHTS))?
        .create()?
        .add_rules(path_beneath_rules(read, AccessFs::from_read(RIGHTS)))?
        .add_rules(path_beneath_rules(write, AccessFs::from_all(RIGHTS)))?
        .add_rules(path_beneath_rules(DEVICES, devices))?
        .restrict_self()?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("this kernel does not support Landlock".into()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

/// Whether this kernel supports Landlock.
pub(in crate::media) fn is_supported() -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create).is_ok()
}
