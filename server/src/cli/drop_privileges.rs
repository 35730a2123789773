//! Drops root before anything is opened and while the process has one thread, so that a compromised service has neither root's files
//! nor root's rights over other processes.

use std::ffi::CString;
use std::fs::{self, DirBuilder, File, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use nix::unistd::{Gid, Uid, User, initgroups, setgid, setgroups, setuid};
use rustix::fs::{Access, OFlags, access, fchown};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use super::Result;
use crate::config::Settings;

const ROOT_REFUSED: &str = "refusing to serve as root: use --user NAME to switch to that user before anything is opened (the data \
    directory must belong to that user or be new), or --allow-root to serve as root";
const OWNER_REQUIRED: &str = "the data directory is new: as root, use --user NAME to say who is to own it; use the same user for `serve`";

/// A user of the system.
#[derive(Debug, Clone)]
pub(super) struct Account {
    name: Option<String>,
    uid: Uid,
    gid: Gid,
}

impl Account {
    /// The effective user of this process.
    pub(super) fn current() -> Self {
        let (uid, gid) = (Uid::effective(), Gid::effective());
        let name = User::from_uid(uid).ok().flatten().map(|user| user.name);
        Self { name, uid, gid }
    }

    /// Finds a user by name or number. A number without an account is accepted; its group has the same number.
    fn find(text: &str) -> Result<Self> {
        let known = match text.parse() {
            Ok(uid) => User::from_uid(Uid::from_raw(uid))?
                .map_or(Self { name: None, uid: Uid::from_raw(uid), gid: Gid::from_raw(uid) }, Self::from),
            Err(_) => User::from_name(text)?
                .map(Self::from)
                .ok_or_else(|| format!("user: {text:?} does not exist"))?,
        };
        match known.uid.is_root() {
            true => Err(format!("user: {text} is root; name another user, or use --allow-root").into()),
            false => Ok(known),
        }
    }

    /// The owner of a file.
    fn owner(file: &Metadata) -> Result<Self> {
        let (uid, gid) = (Uid::from_raw(file.uid()), Gid::from_raw(file.gid()));
        Ok(User::from_uid(uid)?.map_or(Self { name: None, uid, gid }, Self::from))
    }

    /// Switches to this user and makes the data directory theirs if it is new.
    fn become_owner_of(&self, data: &Path) -> Result<()> {
        self.take_ownership(data)?;
        self.become_user()?;
        let reached = fs::read_dir(data).map(drop);
        reached.map_err(|error| format!("user {self} cannot open {}: {error}", data.display()).into())
    }

    /// Switches to this user and its groups; this cannot be undone.
    fn become_user(&self) -> Result<()> {
        match &self.name {
            Some(name) => initgroups(&CString::new(name.as_str())?, self.gid)?,
            None => setgroups(&[])?,
        }
        setgid(self.gid)?;
        setuid(self.uid)?;
        match setuid(Uid::from_raw(0)) {
            Ok(()) => Err("root privileges could not be dropped".into()),
            Err(_) => Ok(()),
        }
    }

    /// Checks that this user may execute the service's binary: conversions run in it.
    fn check_can_execute(&self) -> Result<()> {
        let program = std::env::current_exe()?;
        access(&program, Access::EXEC_OK).map_err(|_| {
            let path = program.display();
            format!("user {self} cannot execute {path}, which conversions run in; install it where that user can, such as in /usr/local/bin").into()
        })
    }

    /// Takes ownership of a data directory that does not exist, or that is empty, owned by root and writable only by root.
    fn take_ownership(&self, data: &Path) -> Result<()> {
        let flags = (OFlags::DIRECTORY | OFlags::NOFOLLOW).bits().cast_signed();
        if let Err(error) = fs::symlink_metadata(data)
            && error.kind() == ErrorKind::NotFound
        {
            // The directories above keep the default mode, so that other users can traverse them.
            data.parent().map_or(Ok(()), fs::create_dir_all)?;
            DirBuilder::new().mode(0o700).create(data)?;
        }
        let folder = File::options().read(true).custom_flags(flags).open(fs::canonicalize(data)?)?;
        let metadata = folder.metadata()?;
        let is_owner = metadata.uid() == self.uid.as_raw();
        let is_new =
            metadata.uid() == 0 && metadata.mode() & 0o022 == 0 && fs::read_dir(data)?.next().is_none();
        match (is_owner, is_new) {
            (true, _) => Ok(()),
            (_, true) => Ok(fchown(
                &folder,
                Some(rustix::fs::Uid::from_raw(self.uid.as_raw())),
                Some(rustix::fs::Gid::from_raw(self.gid.as_raw())),
            )?),
            _ => {
                let (path, owner) = (data.display(), Self::owner(&metadata)?);
                Err(format!(
                    "{path} belongs to {owner}: change the owner to {self} with chown -R, or use its owner as --user"
                )
                .into())
            }
        }
    }
}

impl From<User> for Account {
    fn from(user: User) -> Self {
        Self { name: Some(user.name), uid: user.uid, gid: user.gid }
    }
}

impl std::fmt::Display for Account {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.name {
            Some(name) => write!(formatter, "{name} ({})", self.uid),
            None => write!(formatter, "{}", self.uid),
        }
    }
}

/// Switches to the user that is to serve.
pub(super) fn for_serve(settings: &Settings) -> Result<()> {
    match requested_switch(settings)? {
        UserSwitch::Nothing => Ok(()),
        UserSwitch::For(account) => {
            account.become_owner_of(settings.data()?)?;
            account.check_can_execute()?;
            tracing::info!(user = %account, "dropped root privileges");
            Ok(())
        }
        UserSwitch::Unspecified if settings.allow_root == Some(true) => {
            tracing::warn!(
                "allow-root is set: the service runs as root, and its tools can access root's files"
            );
            Ok(())
        }
        UserSwitch::Unspecified => Err(ROOT_REFUSED.into()),
    }
}

/// Switches to the owner of the data directory, so that no file in it becomes root's.
pub(super) fn for_data_folder(settings: &Settings) -> Result<()> {
    if settings.database.is_some() && settings.data.is_none() {
        return without_data_folder(settings);
    }
    let data = settings.data()?;
    match requested_switch(settings)? {
        UserSwitch::Nothing => Ok(()),
        UserSwitch::For(account) => account.become_owner_of(data),
        UserSwitch::Unspecified => match fs::metadata(data) {
            Ok(folder) if folder.uid() != 0 => Account::owner(&folder)?.become_user(),
            Ok(_) if fs::read_dir(data)?.next().is_some() => Ok(()),
            _ if settings.allow_root == Some(true) => Ok(()),
            _ => Err(OWNER_REQUIRED.into()),
        },
    }
}

/// Switches to the user of the settings, if there is one.
pub(super) fn without_data_folder(settings: &Settings) -> Result<()> {
    match requested_switch(settings)? {
        UserSwitch::For(account) => {
            account.become_user()?;
            account.check_can_execute()
        }
        UserSwitch::Nothing | UserSwitch::Unspecified => Ok(()),
    }
}

/// Forbids other processes of the same user to read this process's memory: tools in the weakest sandbox could do so.
pub(super) fn forbid_ptrace() -> Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// Which user this process has to switch to.
enum UserSwitch {
    /// None: it already is the right user.
    Nothing,
    /// It is root and has to become this user.
    For(Account),
    /// It is root, and no user is set.
    Unspecified,
}

fn requested_switch(settings: &Settings) -> Result<UserSwitch> {
    let current = Account::current();
    let wanted = settings.user.as_deref().map(Account::find).transpose()?;
    match (current.uid.is_root(), wanted) {
        (true, Some(account)) => Ok(UserSwitch::For(account)),
        (true, None) => Ok(UserSwitch::Unspecified),
        (false, Some(account)) if account.uid != current.uid => {
            Err(format!("user: only root can switch to {account}; this process runs as {current}").into())
        }
        (false, _) => Ok(UserSwitch::Nothing),
    }
}
