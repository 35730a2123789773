//! A PostgreSQL server for the tests of one program: on the loopback address, with a port and a folder of its own. It ends with the
//! program, however that ends, and leaves nothing behind. Debian's package `postgresql` has its programs.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use sqlx::{Connection, PgConnection};

/// Makes a cluster, starts a server and says so; does it again, after a crash, for each line of standard input, until nobody holds the
/// other end of that.
const SCRIPT: &str = r#"
    set -eu
    cd "$2"
    "$1/initdb" --pgdata data --username filepress --pwfile password --auth scram-sha-256 --no-sync --encoding UTF8 --locale C >log 2>&1 || { cat log >&2; exit 1; }
    start() {
        "$1/postgres" -D data -p "$3" -c listen_addresses=127.0.0.1 -c "unix_socket_directories=$2" -c fsync=off -c max_connections=300 >>log 2>&1 &
        server=$!
        until "$1/pg_isready" -q -h 127.0.0.1 -p "$3"; do
            kill -0 "$server" 2>/dev/null || { cat log >&2; exit 1; }
            sleep 0.05
        done
        echo ready
    }
    # At once, as in a crash: transactions are lost, and the next one recovers from its log.
    stop() { kill -QUIT "$server" && wait "$server" || true; }
    start "$@"
    while read -r _; do
        stop
        start "$@"
    done
    stop
    cd / && rm -rf "$2"
"#;

/// What a version that is still to come may do to the schema, for SQLite too.
pub const LATER_MIGRATION: &str = "
    CREATE TABLE later (id TEXT PRIMARY KEY, file TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE);
    CREATE INDEX files_later ON files (sha256);
    ALTER TABLE keys ADD COLUMN later TEXT NOT NULL DEFAULT '';
";
/// How that is noted; the only parameter is a checksum.
pub const LATER_VERSION: &str = "
    INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (1000, 'later', TRUE, $1, 0)
";

/// Migrates a database as a later version does.
pub async fn migrate_further(database: &str) {
    let mut connection = PgConnection::connect(database).await.unwrap();
    sqlx::raw_sql(LATER_MIGRATION).execute(&mut connection).await.unwrap();
    sqlx::query(LATER_VERSION).bind(vec![0_u8; 48]).execute(&mut connection).await.unwrap();
}

/// A server.
pub struct Server {
    pub port: u16,
    address: String,
    databases: AtomicU32,
    shell: Mutex<Shell>,
}

/// Runs until its standard input is closed, which the end of this program does.
struct Shell {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _process: Child,
}

impl Shell {
    fn wait_until_ready(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n", "PostgreSQL did not start");
    }
}

/// The server that most tests of this program share, started at the first call.
pub fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(Server::start)
}

impl Server {
    /// Starts a server for a test that stops it.
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("filepress-postgres-").tempdir().unwrap().keep();
        let password = filepress_server::ids::uuid().unwrap();
        std::fs::write(folder.join("password"), &password).unwrap();
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let mut shell = unprivileged(&folder);
        let mut shell = shell
            .args(["-c", SCRIPT, "sh"])
            .args([programs().as_os_str(), folder.as_os_str()])
            .arg(port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (shell.stdin.take().unwrap(), BufReader::new(shell.stdout.take().unwrap()));
        let mut shell = Shell { input, output, _process: shell };
        shell.wait_until_ready();
        let address = format!("postgres://filepress:{password}@127.0.0.1:{port}");
        Self { port, address, databases: AtomicU32::new(0), shell: Mutex::new(shell) }
    }

    /// Stops the server as a crash does, and starts it again.
    pub fn crash(&self) {
        let mut shell = self.shell.lock().unwrap();
        writeln!(shell.input, "again").unwrap();
        shell.wait_until_ready();
    }

    /// The URL of a new, empty database.
    pub async fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut connection = PgConnection::connect(&format!("{}/postgres", self.address)).await.unwrap();
        sqlx::query(&format!("CREATE DATABASE {name}")).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        format!("{}/{name}", self.address)
    }
}

/// The folder of the newest version's programs.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()).max();
    let newest = newest.unwrap_or_else(|| panic!("PostgreSQL is not installed: apt-get install postgresql"));
    format!("/usr/lib/postgresql/{newest}/bin").into()
}

/// A shell that owns the folder and is not root: PostgreSQL refuses to run as root.
fn unprivileged(folder: &Path) -> Command {
    if !nix::unistd::Uid::effective().is_root() {
        return Command::new("sh");
    }
    let user = nix::unistd::User::from_name("postgres").unwrap().unwrap();
    for path in [folder.to_owned(), folder.join("password")] {
        chown(path, Some(user.uid.as_raw()), Some(user.gid.as_raw())).unwrap();
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups", "sh"]);
    command
}
