//! What may be given for a new key, on the command line and by the operator's page: the address of its owner, and its name.

/// The most characters of a name.
pub const LONGEST_NAME: usize = 100;

/// Checks that an address has a local part and a domain around one `@`; more could be found out only by sending mail.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn check_email(email: &str) -> Result<&str, String> {
    let parts = email.split_once('@');
    let proper = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c == '@' || c.is_whitespace() || c.is_control())
    };
    match parts {
        Some((local, domain)) if proper(local) && proper(domain) => Ok(email),
        _ => Err(format!("{email:?} is not an e-mail address")),
    }
}

/// Refuses a name that would break the lines of a list.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn check_name(name: &str) -> Result<String, String> {
    match name.chars().count() <= LONGEST_NAME && !name.chars().any(char::is_control) {
        true => Ok(name.to_owned()),
        false => Err(format!("a name has at most {LONGEST_NAME} characters, and no control characters")),
    }
}
