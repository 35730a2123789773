//! Who this process is while it works. As root it becomes someone else before it opens anything and while it has one thread: root's
//! files, and root's power over others, are then out of reach for whoever takes the process over.

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

const ROOT_REFUSED: &str = "as root, tell who is to serve: --user NAME switches to that user before anything is opened \
    (the data folder must be that user's, or new); --allow-root serves as root, where nothing else is possible";
const OWNER_REQUIRED: &str =
    "as root, tell whose the new data folder is to be: --user NAME, as `serve` is given it";

/// A user of the system.
#[derive(Debug, Clone)]
pub(super) struct Account {
    name: Option<String>,
    uid: Uid,
    gid: Gid,
}

impl Account {
    /// That of this process.
    pub(super) fn current() -> Self {
        let (uid, gid) = (Uid::effective(), Gid::effective());
        let name = User::from_uid(uid).ok().flatten().map(|user| user.name);
        Self { name, uid, gid }
    }

    /// By its name or number. A number without a name is a user all the same, in the group of that number.
    fn find(text: &str) -> Result<Self> {
        let known = match text.parse() {
            Ok(uid) => User::from_uid(Uid::from_raw(uid))?
                .map_or(Self { name: None, uid: Uid::from_raw(uid), gid: Gid::from_raw(uid) }, Self::from),
            Err(_) => {
                User::from_name(text)?.map(Self::from).ok_or_else(|| format!("user: there is no {text:?}"))?
            }
        };
        match known.uid.is_root() {
            true => Err(format!("user: {text} is root; give another user, or --allow-root").into()),
            false => Ok(known),
        }
    }

    /// Who owns a file.
    fn owner(file: &Metadata) -> Result<Self> {
        let (uid, gid) = (Uid::from_raw(file.uid()), Gid::from_raw(file.gid()));
        Ok(User::from_uid(uid)?.map_or(Self { name: None, uid, gid }, Self::from))
    }

    /// Becomes this user, whose data folder this is or now becomes.
    fn become_owner_of(&self, data: &Path) -> Result<()> {
        self.take_ownership(data)?;
        self.become_user()?;
        let reached = fs::read_dir(data).map(drop);
        reached.map_err(|error| format!("{self} cannot get to {}: {error}", data.display()).into())
    }

    /// Becomes this user, with its groups and no others, for good.
    fn become_user(&self) -> Result<()> {
        match &self.name {
            Some(name) => initgroups(&CString::new(name.as_str())?, self.gid)?,
            None => setgroups(&[])?,
        }
        setgid(self.gid)?;
        setuid(self.uid)?;
        match setuid(Uid::from_raw(0)) {
            Ok(()) => Err("root could not be given up".into()),
            Err(_) => Ok(()),
        }
    }

    /// That this process, now this user's, may start its own binary again: conversions run in it.
    fn check_can_execute(&self) -> Result<()> {
        let program = std::env::current_exe()?;
        access(&program, Access::EXEC_OK).map_err(|_| {
            let path = program.display();
            format!("{self} may not run {path}, which conversions run in: install it where everyone may, such as /usr/local/bin").into()
        })
    }

    /// Makes a data folder its own: one that is not there, or that is empty, root's and for root alone to write.
    fn take_ownership(&self, data: &Path) -> Result<()> {
        let flags = (OFlags::DIRECTORY | OFlags::NOFOLLOW).bits().cast_signed();
        if let Err(error) = fs::symlink_metadata(data)
            && error.kind() == ErrorKind::NotFound
        {
            // Those above are for all to pass through.
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
                    "{path} is {owner}'s: give it to {self} with all in it (chown -R), or name its owner"
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

/// Becomes the user that is to serve.
pub(super) fn for_serve(settings: &Settings) -> Result<()> {
    match requested_switch(settings)? {
        UserSwitch::Nothing => Ok(()),
        UserSwitch::For(account) => {
            account.become_owner_of(settings.data()?)?;
            account.check_can_execute()?;
            tracing::info!(user = %account, "root was given up");
            Ok(())
        }
        UserSwitch::Unspecified if settings.allow_root == Some(true) => {
            tracing::warn!("allow-root: the service runs as root, and its tools own all that is root's");
            Ok(())
        }
        UserSwitch::Unspecified => Err(ROOT_REFUSED.into()),
    }
}

/// Becomes the user whose the data folder is, so that all in it stays that user's.
pub(super) fn for_data_folder(settings: &Settings) -> Result<()> {
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

/// Becomes the user that was named, if one was.
pub(super) fn without_data_folder(settings: &Settings) -> Result<()> {
    match requested_switch(settings)? {
        UserSwitch::For(account) => {
            account.become_user()?;
            account.check_can_execute()
        }
        UserSwitch::Nothing | UserSwitch::Unspecified => Ok(()),
    }
}

/// Keeps the memory of this process from others of the same user: children in the weakest confinement could read it.
pub(super) fn forbid_ptrace() -> Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// What the settings ask of this process.
enum UserSwitch {
    /// It is who it has to be.
    Nothing,
    /// It is root and has to become someone.
    For(Account),
    /// It is root, and nobody is named.
    Unspecified,
}

fn requested_switch(settings: &Settings) -> Result<UserSwitch> {
    let current = Account::current();
    let wanted = settings.user.as_deref().map(Account::find).transpose()?;
    match (current.uid.is_root(), wanted) {
        (true, Some(account)) => Ok(UserSwitch::For(account)),
        (true, None) => Ok(UserSwitch::Unspecified),
        (false, Some(account)) if account.uid != current.uid => {
            Err(format!("user: only root can become {account}; this process is {current}'s").into())
        }
        (false, _) => Ok(UserSwitch::Nothing),
    }
}
