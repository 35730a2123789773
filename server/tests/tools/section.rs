//! A section of `server/README.md` between two marker comments. A test measures its content, so the document always
//! matches the service.

use std::path::Path;
use std::sync::Mutex;

/// The page has one writer at a time.
static PAGE: Mutex<()> = Mutex::new(());

/// Compares the section `name` with `measured`. With `FILEPRESS_WRITE=1` in the environment, writes it instead.
pub(crate) fn check(name: &str, measured: &str) {
    let _guard = PAGE.lock();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let page = std::fs::read_to_string(&path).expect("a page");
    let (begin, end) = (format!("<!-- survives:{name} -->\n"), format!("<!-- /survives:{name} -->"));
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("README.md has no {begin}"));
    let (section, after) = rest.split_once(&end).unwrap_or_else(|| panic!("README.md has no {end}"));
    let measured = measured.trim_end();
    if std::env::var_os("FILEPRESS_WRITE").is_some_and(|value| value == "1") {
        std::fs::write(&path, format!("{before}{begin}{measured}\n{end}{after}")).expect("a written page");
    } else {
        assert_eq!(
            section.trim_end(),
            measured,
            "`make survives` writes the section {name} of server/README.md"
        );
    }
}

/// A table of GitHub's Markdown.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let rule = vec!["---".to_owned(); head.len()];
    [line(&head), line(&rule)].into_iter().chain(rows.iter().map(|row| line(row))).collect()
}
