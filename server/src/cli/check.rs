//! `check`: lists what this machine can convert.

use filepress_wire::MediaType;

use super::drop_privileges::Account;
use super::{Result, print_line};
use crate::config::Settings;
use crate::media::Toolbox;

pub(super) async fn run(mut settings: Settings) -> Result<()> {
    // `into_config` requires a data directory, but this command does not read it.
    settings.data.get_or_insert_default();
    let config = settings.into_config()?;
    let tools = Toolbox::find(&config).await;
    for tool in tools.report() {
        let lacks = if tool.lacks.is_empty() {
            String::new()
        } else {
            format!(" (lacks: {})", tool.lacks.join("; "))
        };
        match (&tool.version, &tool.path) {
            (Some(version), Some(path)) => {
                print_line(format_args!("{:<12} {version}  {}{lacks}", tool.name, path.display()))?
            }
            (Some(version), None) => print_line(format_args!("{:<12} {version}{lacks}", tool.name))?,
            (None, _) => {
                print_line(format_args!(
                    "{:<12} not found; needed for {}{lacks}",
                    tool.name, tool.needed_for
                ))?;
            }
        }
    }
    print_line(format_args!("{:<12} {}", "sandbox", tools.confinement()))?;
    print_line(format_args!("{:<12} {}", "user", Account::current()))?;
    print_line(format_args!("{:<12} {}", "limits", tools.limits()))?;
    print_line("")?;
    let mut pairs = 0;
    for input in MediaType::ALL {
        let outputs = tools.outputs(input);
        pairs += outputs.len();
        let names: Vec<&str> = outputs.iter().map(|output| output.as_str()).collect();
        print_line(format_args!(
            "{:<24} {}",
            input.as_str(),
            if names.is_empty() { "-".to_owned() } else { names.join(" ") }
        ))?;
    }
    print_line(format_args!("\n{pairs} pairs"))
}
