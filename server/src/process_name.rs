//! What names this process in the rows of claims: workers and calls of callbacks have it in common.

/// The name of the machine and the number of the process.
pub(crate) fn process_name() -> String {
    let machine = rustix::system::uname();
    format!("{} {}", machine.nodename().to_string_lossy(), std::process::id())
}
