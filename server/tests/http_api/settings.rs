//! Settings from flags, environment and file, compared with the table in the README.

use std::process::Command;

fn serve(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_filepress-server"));
    if rustix::process::geteuid().is_root() {
        command.env("FILEPRESS_USER", "nobody");
    }
    let output = command.arg("serve").args(arguments).envs(environment.iter().copied()).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn flags_override_environment_and_environment_overrides_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("filepress.toml");
    let data = folder.path().join("data");
    std::fs::write(&file, format!("data = {data:?}\ndev = true\nlisten = \"192.0.2.1:1\"\n")).unwrap();
    let file = file.to_str().unwrap();
    let address = |text: String| text.split_whitespace().find(|word| word.ends_with(":1")).map(str::to_owned);
    // The refusal of an address that is not loopback says which one counted.
    let from_file = serve(&["--config", file], &[]);
    assert_eq!(address(from_file).as_deref(), Some("192.0.2.1:1"));
    let from_environment = serve(&["--config", file], &[("FILEPRESS_LISTEN", "192.0.2.2:1")]);
    assert_eq!(address(from_environment).as_deref(), Some("192.0.2.2:1"));
    let from_flag =
        serve(&["--config", file, "--listen", "192.0.2.3:1"], &[("FILEPRESS_LISTEN", "192.0.2.2:1")]);
    assert_eq!(address(from_flag).as_deref(), Some("192.0.2.3:1"));
}

#[test]
fn invalid_settings_are_reported_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("filepress.toml");
    let data = folder.path().to_str().unwrap();
    for (text, expected) in [
        ("retension = \"1h\"", "retension"),
        ("retention = \"1 week\"", "1 week"),
        ("max-file-size = \"big\"", "big"),
        ("tls-key = \"a.key\"", "tls-certificate"),
        ("public-url = \"ftp://a\"", "public-url"),
        ("public-url = \"http://a.example\"", "public-url"),
        ("cors-origins = [\"a.example\"]", "cors-origins"),
        ("trusted-proxies = [\"10.0.0.0/99\"]", "10.0.0.0/99"),
        ("cors-origins = [\"https://a.example/app\"]", "cors-origins"),
        ("cors-origins = [\"https://a.example?b\"]", "cors-origins"),
        ("cors-origins = [\"https://me@a.example\"]", "cors-origins"),
        ("max-output = 0", "max-output"),
        ("max-pixels = 0", "max-pixels"),
        ("max-frames = 0", "max-frames"),
        ("max-duration = \"0s\"", "max-duration"),
        ("max-pages = 0", "max-pages"),
        ("task-time = \"0s\"", "task-time"),
        ("image-time = \"0s\"", "image-time"),
        ("handshake-timeout = \"0s\"", "handshake-timeout"),
        ("idle-timeout = \"0s\"", "idle-timeout"),
        ("rate-limit = 0", "rate-limit"),
        ("rate-burst = 0", "rate-burst"),
        ("direct-uploads = true", "direct-uploads"),
        ("direct-downloads = true", "direct-downloads"),
        ("otlp-endpoint = \"collector:4318\"", "otlp-endpoint"),
        ("otlp-endpoint = \"http://name:secret@collector:4318\"", "otlp-endpoint"),
    ] {
        std::fs::write(&file, text).unwrap();
        let said = serve(&["--config", file.to_str().unwrap(), "--data", data], &[]);
        assert!(said.contains(expected), "{text}: {said}");
        assert!(!said.contains("secret"), "{text}: {said}");
    }
    for setting in ["--direct-uploads", "--direct-downloads"] {
        let direct = ["--data", data, "--blobs", "s3://files", setting];
        let unencrypted = serve(&direct, &[("AWS_ENDPOINT_URL", "http://127.0.0.1:1")]);
        assert!(unencrypted.contains("AWS_ENDPOINT_URL"), "{unencrypted}");
    }
    assert!(serve(&[], &[]).contains("--data"));
    assert!(serve(&["--config", "/nowhere/a.toml"], &[]).contains("/nowhere/a.toml"));
}

#[test]
fn secrets_are_not_kept_where_the_tools_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let data = file("data");
    std::os::unix::fs::symlink("/usr/share", file("shared")).unwrap();
    let exposed = file("shared/filepress-test/data");
    let refused = |arguments: &[&str], setting: &str| {
        let said = serve(&[arguments, &["--dev", "--listen", "127.0.0.1:0"]].concat(), &[]);
        let named = said.contains(&format!("{setting}: "));
        assert!(named && said.contains("is below /usr") && said.contains("move it"), "{arguments:?}: {said}");
    };
    refused(&["--data", &exposed], "data");
    refused(&["--data", "/usr/share/filepress-test/../filepress-test"], "data");
    refused(&["--data", &data, "--signing-keys", &exposed], "signing-keys");
    refused(&["--data", &data, "--tls-certificate", "a.crt", "--tls-key", &exposed], "tls-key");
    assert!(!std::path::Path::new(&data).exists(), "nothing was begun");
}

#[test]
fn every_setting_is_in_the_table_of_the_readme() {
    let readme = include_str!("../../README.md");
    let (_, after) = readme.split_once("\n## Settings\n").unwrap();
    let (table, _) = after.split_once("\n## ").unwrap();
    let command = filepress_server::cli::command();
    let serve = command.get_subcommands().find(|command| command.get_name() == "serve").unwrap();
    let mut settings = 0;
    for argument in serve.get_arguments() {
        let Some(name) = argument.get_long().filter(|name| *name != "help") else { continue };
        let variable = format!("FILEPRESS_{}", name.replace('-', "_").to_uppercase());
        assert_eq!(argument.get_env().and_then(|name| name.to_str()), Some(variable.as_str()));
        assert!(table.contains(&format!("| `{name}` |")), "{name}");
        settings += 1;
    }
    let rows = table.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, settings, "and nothing else is in it");
}
