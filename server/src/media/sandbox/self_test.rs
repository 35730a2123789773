//! Finds the strongest confinement that holds here, by having a child try to get out of it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cgroup::Delegated;
use super::{Bounds, Level, Sandbox, Session, Task, Tool};
use crate::config::{Config, SandboxChoice};
use crate::media::engine::{CONFINED, FILES_OUTSIDE, TRIAL};

/// How long a trial may take; it takes some 20 ms.
const PATIENCE: Duration = Duration::from_secs(60);
const BOUNDS: Bounds = Bounds { memory: 2 << 30, processes: 64, disk: 1 << 20, cpu: 20, file: 1 << 20 };

/// The strongest rung that holds, of those that are wanted; and why others do not.
pub(in crate::media) async fn find(
    config: &Config,
    bwrap: Option<PathBuf>,
) -> (Option<Sandbox>, Vec<(Level, String)>) {
    let levels: &[Level] = match config.sandbox {
        SandboxChoice::Auto => &[Level::Bubblewrap, Level::Landlock, Level::Limits],
        SandboxChoice::Bubblewrap => &[Level::Bubblewrap],
        SandboxChoice::Landlock => &[Level::Landlock],
        SandboxChoice::Limits => &[Level::Limits],
    };
    let mut reasons = Vec::new();
    let program = match config.program.clone().map_or_else(std::env::current_exe, Ok) {
        Ok(program) => program,
        Err(error) => {
            reasons.push((Level::Limits, format!("the own binary is not known: {error}")));
            return (None, reasons);
        }
    };
    let cgroup = Delegated::find().inspect_err(|reason| tracing::debug!(reason, "limits are watched")).ok();
    for &level in levels {
        let (program, bwrap, cgroup) = (program.clone(), bwrap.clone(), cgroup.clone());
        let sandbox = Sandbox { level, program, bwrap, cgroup };
        match sandbox.try_out().await {
            Ok(()) => return (Some(sandbox), reasons),
            Err(reason) => reasons.push((level, reason)),
        }
    }
    (None, reasons)
}

impl Sandbox {
    /// Has a child try what attacks try. Files outside are kept from it by the stronger rungs alone.
    async fn try_out(&self) -> Result<(), String> {
        if self.level == Level::Bubblewrap && self.bwrap.is_none() {
            return Err("bwrap is not installed".to_owned());
        }
        let told = |error: std::io::Error| error.to_string();
        let folder = tempfile::tempdir().map_err(told)?;
        let mut outside = tempfile::NamedTempFile::new().map_err(told)?;
        outside.write_all(b"secret").map_err(told)?;
        let finished = self.look(folder.path(), outside.path()).await?;
        if !finished.is_success() {
            return Err(format!("a child did not run: {}", finished.stderr.trim()));
        }
        let answer = String::from_utf8_lossy(&finished.stdout);
        let tolerated = |did: &str| self.level == Level::Limits && FILES_OUTSIDE.contains(&did);
        match answer.trim() {
            "" => Err("a child said nothing".to_owned()),
            CONFINED => Ok(()),
            did if did.split(", ").all(tolerated) => Ok(()),
            did => Err(format!("a child could {did}")),
        }
    }

    async fn look(&self, folder: &Path, outside: &Path) -> Result<super::Finished, String> {
        let session = Session {
            sandbox: self,
            input: None,
            folder,
            bounds: BOUNDS,
            children: &self.children(BOUNDS).map_err(|failure| format!("{failure:?}"))?,
            deadline: Instant::now() + PATIENCE,
            cancel: CancellationToken::new(),
        };
        let arguments = vec![TRIAL.to_owned(), outside.to_string_lossy().into_owned()];
        let task = Task { tool: Tool::Engine, arguments, on_line: None };
        session.run(task).await.map_err(|failure| format!("{failure:?}"))
    }
}
