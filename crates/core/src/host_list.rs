//! Lists of hosts as Slurm writes them: `tux[0-3,12],login,r[1-2]n[01-16]`.
//!
//! **Problem.** A text to the names that it stands for. Brackets hold numbers and ranges; leading
//! zeros are kept; several brackets in a name are all combinations, the last fastest.
//! **Cost.** Linear in the names, of which there may be [`MOST`].

/// More hosts than this are refused.
pub const MOST: usize = 1 << 20;

/// What is wrong with a list of hosts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HostListError {
    /// Brackets that do not close, or hold no numbers.
    #[error("expected hosts such as tux[0-3,12], found `{0}`")]
    Brackets(String),
    /// Too many names.
    #[error("`{0}` stands for more than {MOST} hosts")]
    TooMany(String),
}

/// The entries of a list: cut at commas and white space outside of brackets.
pub fn host_entries(text: &str) -> Vec<&str> {
    let (mut entries, mut depth, mut from) = (Vec::new(), 0u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if c.is_whitespace() || (c == ',' && depth == 0) => {
                entries.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    entries.push(&text[from..]);
    entries.retain(|entry| !entry.is_empty());
    entries
}

/// The names of a list.
///
/// ```
/// use palmette_core::host_list::host_names;
/// assert_eq!(host_names("n[08-10],login")?, ["n08", "n09", "n10", "login"]);
/// # Ok::<(), palmette_core::host_list::HostListError>(())
/// ```
///
/// # Errors
/// See [`HostListError`].
pub fn host_names(text: &str) -> Result<Vec<String>, HostListError> {
    let mut names = Vec::new();
    for entry in host_entries(text) {
        expand(entry, &mut names)?;
    }
    Ok(names)
}

fn expand(entry: &str, names: &mut Vec<String>) -> Result<(), HostListError> {
    let wrong = || HostListError::Brackets(entry.to_string());
    let mut found = vec![String::new()];
    let mut rest = entry;
    while let Some((before, after)) = rest.split_once('[') {
        let (list, after) = after.split_once(']').ok_or_else(wrong)?;
        let mut longer = Vec::new();
        for start in &found {
            for word in list.split(',') {
                let (low, high) = word.split_once('-').unwrap_or((word, word));
                let number = |text: &str| {
                    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                    text.parse::<u64>().ok().filter(|_| digits)
                };
                let (Some(first), Some(last)) = (number(low), number(high)) else {
                    return Err(wrong());
                };
                if last < first {
                    return Err(wrong());
                }
                for n in first..=last {
                    if longer.len() + names.len() >= MOST {
                        return Err(HostListError::TooMany(entry.to_string()));
                    }
                    longer.push(format!("{start}{before}{n:0width$}", width = low.len()));
                }
            }
        }
        (found, rest) = (longer, after);
    }
    if rest.contains(']') {
        return Err(wrong());
    }
    found.iter_mut().for_each(|name| name.push_str(rest));
    names.append(&mut found);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_expanded() {
        for (text, names) in [
            ("tux[0-2,7]", &["tux0", "tux1", "tux2", "tux7"][..]),
            ("a, b\nc", &["a", "b", "c"]),
            ("r[1-2]n[09-10]x", &["r1n09x", "r1n10x", "r2n09x", "r2n10x"]),
            ("", &[]),
        ] {
            assert_eq!(host_names(text).unwrap(), names, "{text}");
        }
        for bad in ["a[1-", "a[]", "a[x]", "a[3-1]", "a]", "a[1,]", "a[-3]"] {
            assert!(host_names(bad).unwrap_err().to_string().contains(bad), "{bad}");
        }
        let many = "a[0-9999999]";
        assert_eq!(host_names(many), Err(HostListError::TooMany(many.to_string())));
    }
}
