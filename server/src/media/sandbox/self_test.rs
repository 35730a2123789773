//! Finds the strongest sandbox that works, by letting a child process try to escape from it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cgroup::DelegatedCgroup;
use super::{ConfinementLevel, ResourceLimits, Sandbox, SandboxSession, Tool, ToolCall};
use crate::config::{Config, SandboxChoice};
use crate::media::engine::{CONFINED, ESCAPE_TEST, FILES_OUTSIDE};

/// The timeout of the self-test, which takes some 20 ms.
const SELF_TEST_TIMEOUT: Duration = Duration::from_secs(60);
const SELF_TEST_LIMITS: ResourceLimits =
    ResourceLimits { memory: 2 << 30, processes: 64, disk: 1 << 20, cpu: 20, file: 1 << 20 };

/// The strongest allowed level that passes the self-test, and why stronger ones do not.
pub(in crate::media) async fn find(
    config: &Config,
    bwrap: Option<PathBuf>,
) -> (Option<Sandbox>, Vec<(ConfinementLevel, String)>) {
    let levels: &[ConfinementLevel] = match config.sandbox {
        SandboxChoice::Auto => {
            &[ConfinementLevel::Bubblewrap, ConfinementLevel::Landlock, ConfinementLevel::Limits]
        }
        SandboxChoice::Bubblewrap => &[ConfinementLevel::Bubblewrap],
        SandboxChoice::Landlock => &[ConfinementLevel::Landlock],
        SandboxChoice::Limits => &[ConfinementLevel::Limits],
    };
    let mut reasons = Vec::new();
    let program = match config.program.clone().map_or_else(std::env::current_exe, Ok) {
        Ok(program) => program,
        Err(error) => {
            reasons
                .push((ConfinementLevel::Limits, format!("cannot find the service's own binary: {error}")));
            return (None, reasons);
        }
    };
    let cgroup = DelegatedCgroup::find()
        .inspect_err(|reason| {
            tracing::debug!(reason, "no cgroup is available; limits are enforced by sampling")
        })
        .ok();
    for &level in levels {
        let (program, bwrap, cgroup) = (program.clone(), bwrap.clone(), cgroup.clone());
        let sandbox = Sandbox { level, program, bwrap, cgroup };
        match sandbox.run_self_test().await {
            Ok(()) => return (Some(sandbox), reasons),
            Err(reason) => reasons.push((level, reason)),
        }
    }
    (None, reasons)
}

impl Sandbox {
    /// Lets a child try what attacks try. Only the stronger levels protect files outside.
    async fn run_self_test(&self) -> Result<(), String> {
        if self.level == ConfinementLevel::Bubblewrap && self.bwrap.is_none() {
            return Err("bubblewrap is not installed".to_owned());
        }
        let io_reason = |error: std::io::Error| error.to_string();
        let folder = tempfile::tempdir().map_err(io_reason)?;
        let mut outside = tempfile::NamedTempFile::new().map_err(io_reason)?;
        outside.write_all(b"secret").map_err(io_reason)?;
        let finished = self.run_escape_test(folder.path(), outside.path()).await?;
        if !finished.is_success() {
            return Err(format!("the test process failed: {}", finished.stderr.trim()));
        }
        let answer = String::from_utf8_lossy(&finished.stdout);
        let tolerated = |did: &str| self.level == ConfinementLevel::Limits && FILES_OUTSIDE.contains(&did);
        match answer.trim() {
            "" => Err("the test process printed nothing".to_owned()),
            CONFINED => Ok(()),
            did if did.split(", ").all(tolerated) => Ok(()),
            did => Err(format!("the test process could {did}")),
        }
    }

    async fn run_escape_test(&self, folder: &Path, outside: &Path) -> Result<super::ChildOutput, String> {
        let sandbox_session = SandboxSession {
            sandbox: self,
            input: None,
            folder,
            resource_limits: SELF_TEST_LIMITS,
            children: &self.children(SELF_TEST_LIMITS).map_err(|failure| format!("{failure:?}"))?,
            deadline: Instant::now() + SELF_TEST_TIMEOUT,
            cancel: CancellationToken::new(),
        };
        let arguments = vec![ESCAPE_TEST.to_owned(), outside.to_string_lossy().into_owned()];
        let task = ToolCall { tool: Tool::Engine, arguments, on_line: None };
        sandbox_session.run(task).await.map_err(|failure| format!("{failure:?}"))
    }
}
