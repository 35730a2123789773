//! The files of the migrations: a later one only adds what servers of the version before do not notice.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The first version of each engine that servers can be updated from without an interruption.
const BASES: [(&str, u32); 2] = [("sqlite", 8), ("postgres", 1)];

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(rust_files(&path)) } else { files.push(path) }
    }
    files
}

/// The statements of a file, in upper case, with single spaces.
fn statements(sql: &str) -> Vec<String> {
    let code: Vec<&str> = sql.lines().map(|line| line.split("--").next().unwrap()).collect();
    let words = |statement: &str| statement.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    code.join("\n").split(';').map(words).filter(|statement| !statement.is_empty()).collect()
}

/// The tables of which a statement of the store reads all columns.
fn read_as_a_whole() -> BTreeSet<String> {
    let mut tables = BTreeSet::new();
    for file in rust_files(&source("src/store")) {
        let text = fs::read_to_string(file).unwrap();
        let words = text.split(|character: char| character.is_whitespace() || "\"(),;".contains(character));
        let (mut selects, mut before, mut written) = (false, "", "");
        for word in words.filter(|word| !word.is_empty()) {
            match (before, word) {
                ("SELECT", "*") => selects = true,
                ("RETURNING", "*") => drop(tables.insert(written.to_uppercase())),
                ("FROM", table) if selects => {
                    tables.insert(table.to_uppercase());
                    selects = false;
                }
                ("INTO" | "UPDATE", table) if table != "SET" => written = table,
                _ => {}
            }
            if let Some(table) = word.strip_suffix(".*").filter(|table| table.chars().all(is_of_a_name)) {
                tables.insert(table.to_uppercase());
            }
            before = word;
        }
    }
    tables
}

fn is_of_a_name(character: char) -> bool {
    character.is_ascii_lowercase() || character == '_'
}

/// Why servers of the version before would notice a statement; `new` are tables that the same version makes.
fn problem(statement: &str, new: &BTreeSet<String>, whole: &BTreeSet<String>) -> Option<&'static str> {
    let words: Vec<&str> = statement.split([' ', '(']).collect();
    match words[..] {
        ["CREATE", "TABLE", ..] | ["CREATE", "INDEX", _, "ON", ..] => None,
        ["CREATE", "UNIQUE", "INDEX", _, "ON", table, ..] if new.contains(table) => None,
        ["ALTER", "TABLE", table, "ADD", "COLUMN", ..] => {
            let limits = ["UNIQUE", "CHECK", "REFERENCES", "PRIMARY", "CONSTRAINT", "GENERATED"];
            let is_required = statement.contains("NOT NULL") && !words.contains(&"DEFAULT");
            if new.contains(table) {
                None
            } else if whole.contains(table) {
                Some("a statement reads all columns of the table")
            } else if is_required || words.iter().any(|word| limits.contains(word)) {
                Some("a server that does not know the column cannot add a row")
            } else {
                None
            }
        }
        _ => Some("it changes what is there"),
    }
}

/// The problems of a version's statements.
fn problems(sql: &str, whole: &BTreeSet<String>) -> Vec<String> {
    let statements = statements(sql);
    let table = |statement: &String| {
        statement.strip_prefix("CREATE TABLE ")?.split([' ', '(']).next().map(str::to_owned)
    };
    let new: BTreeSet<String> = statements.iter().filter_map(table).collect();
    let found = statements.iter().filter_map(|statement| {
        problem(statement, &new, whole).map(|problem| format!("{problem}: {statement}"))
    });
    found.collect()
}

#[test]
fn a_migration_only_adds() {
    let whole = read_as_a_whole();
    assert!(["FILES", "TASKS"].iter().all(|table| whole.contains(*table)), "{whole:?}");
    assert!(!whole.contains("KEYS"), "{whole:?}");
    for (engine, base) in BASES {
        let mut versions = 0;
        for entry in fs::read_dir(source("migrations").join(engine)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let version: u32 = name.split('_').next().unwrap().parse().unwrap();
            if version > base {
                assert_eq!(problems(&fs::read_to_string(&path).unwrap(), &whole), [""; 0], "{engine} {name}");
                versions += 1;
            }
        }
        assert!(versions >= 7, "{engine}: {versions}");
    }
}

#[test]
fn what_a_running_server_would_notice_is_found() {
    let whole = BTreeSet::from(["FILES".to_owned()]);
    for sql in [
        "DROP TABLE keys",
        "DROP INDEX files_by_expiry",
        "ALTER TABLE keys DROP COLUMN name",
        "ALTER TABLE keys RENAME COLUMN name TO title",
        "ALTER TABLE keys RENAME TO tokens",
        "ALTER TABLE keys ALTER COLUMN name TYPE BYTEA",
        "ALTER TABLE keys ALTER COLUMN scopes SET NOT NULL",
        "ALTER TABLE keys ADD CONSTRAINT named CHECK (name <> '')",
        "ALTER TABLE keys ADD COLUMN more TEXT NOT NULL",
        "ALTER TABLE keys ADD COLUMN more TEXT UNIQUE",
        "ALTER TABLE keys ADD COLUMN more TEXT REFERENCES users (id)",
        "ALTER TABLE keys ADD COLUMN more TEXT CHECK (more <> '')",
        "ALTER TABLE files ADD COLUMN more TEXT",
        "CREATE UNIQUE INDEX keys_by_name ON keys (name)",
        "UPDATE answers SET body = NULL",
        "create table a (b TEXT); -- c\ndelete from keys",
    ] {
        assert_eq!(problems(sql, &whole).len(), 1, "{sql}");
    }
    for sql in [
        "CREATE TABLE more (id TEXT PRIMARY KEY, file TEXT UNIQUE REFERENCES files (id)); CREATE UNIQUE INDEX a ON more (file)",
        "CREATE INDEX keys_by_name ON keys (name) WHERE name <> ''",
        "ALTER TABLE keys ADD COLUMN more TEXT NOT NULL DEFAULT ''; -- DROP TABLE keys;\nALTER TABLE keys ADD COLUMN less BIGINT;",
    ] {
        assert_eq!(problems(sql, &whole), [""; 0], "{sql}");
    }
}
