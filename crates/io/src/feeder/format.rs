//! Finds the format of a feeder, from its name or its content.

use crate::IoError;
use crate::known::by_ending;
use crate::source::line_at;
use memchr::memmem;
use palmette_core::named;

named! {
    /// A format for feeders.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum FeederFormat("feeder format") {
        /// A folder of CSV tables: bus, branch_pu (or line and trafo), load, source …
        Tables = "tables",
        /// Input data of power-grid-model.
        PowerGridModel = "power-grid-model",
        /// A network of pandapower, as its `to_json` writes it.
        Pandapower = "pandapower",
        /// A case of MATPOWER.
        Matpower = "matpower",
        /// A script of OpenDSS.
        OpenDss = "opendss",
    }
}

/// How far into a file its kind of JSON is looked for.
const LOOK: usize = 1 << 14;

impl FeederFormat {
    /// Those that are written, too.
    pub const WRITTEN: [FeederFormat; 2] = [FeederFormat::Tables, FeederFormat::PowerGridModel];

    /// Extensions of its files, the usual one first. Which of two formats a `.json` has, its
    /// content says.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            FeederFormat::Tables => &["csv"],
            FeederFormat::PowerGridModel | FeederFormat::Pandapower => &["json"],
            FeederFormat::Matpower => &["m"],
            FeederFormat::OpenDss => &["dss"],
        }
    }

    /// What a file holds, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            FeederFormat::Tables => "a folder of tables: bus, branch_pu, load, source and others",
            FeederFormat::PowerGridModel => "input data of power-grid-model",
            FeederFormat::Pandapower => "a network of pandapower",
            FeederFormat::Matpower => "a case of MATPOWER",
            FeederFormat::OpenDss => "a script of OpenDSS",
        }
    }

    /// Whether a file's name promises a feeder.
    pub fn by_ending(name: &str) -> bool {
        by_ending(name, FeederFormat::endings).is_some_and(|format| format != FeederFormat::Tables)
    }

    /// The format that a file's name promises, compression suffixes aside; of a `.json`, with a
    /// look at its content.
    pub fn from_name(name: &str, data: &[u8]) -> Option<FeederFormat> {
        match by_ending(name, FeederFormat::endings)? {
            FeederFormat::PowerGridModel | FeederFormat::Pandapower => of_json(data),
            format => Some(format),
        }
    }

    /// The format that a file's content looks like.
    ///
    /// # Errors
    /// When it looks like none.
    pub fn from_content(name: &str, data: &[u8]) -> Result<FeederFormat, IoError> {
        let start = data.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
        let line: Vec<u8> = data[start..].iter().copied().take_while(|&b| b != b'\n').collect();
        let line = String::from_utf8_lossy(&line).to_ascii_lowercase();
        let found = match line.as_bytes().first() {
            Some(b'{') => of_json(data),
            Some(b'%') => Some(FeederFormat::Matpower),
            _ if line.starts_with("function") => Some(FeederFormat::Matpower),
            Some(b'!') => Some(FeederFormat::OpenDss),
            _ if ["clear", "new ", "set ", "//", "redirect", "compile"]
                .iter()
                .any(|word| line.starts_with(word)) =>
            {
                Some(FeederFormat::OpenDss)
            }
            _ => None,
        };
        found.ok_or_else(|| {
            let expected = "a feeder: a folder of tables, JSON of power-grid-model or pandapower, \
                a MATPOWER case, an OpenDSS script";
            let found = if line.is_empty() { "nothing".to_string() } else { crate::shown(&line) };
            IoError::on_line(name, line_at(data, start), expected, found)
        })
    }
}

fn of_json(data: &[u8]) -> Option<FeederFormat> {
    let head = &data[..data.len().min(LOOK)];
    let has = |word: &str| memmem::find(head, word.as_bytes()).is_some();
    if has("\"pandapowerNet\"") || has("\"_module\"") {
        Some(FeederFormat::Pandapower)
    } else if has("\"is_batch\"") || has("\"data\"") || has("\"version\"") {
        Some(FeederFormat::PowerGridModel)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_name_and_content() {
        for (name, text, format) in [
            ("a.m", "", FeederFormat::Matpower),
            ("a.DSS.gz", "", FeederFormat::OpenDss),
            ("a.json", "{\"version\": \"1.0\"", FeederFormat::PowerGridModel),
            ("a.json", "{\"_module\": \"x\"", FeederFormat::Pandapower),
        ] {
            assert_eq!(FeederFormat::from_name(name, text.as_bytes()), Some(format), "{name}");
        }
        assert_eq!(FeederFormat::from_name("a.json", b"{}"), None);
        for (text, format) in [
            ("% a case\nfunction mpc = a", FeederFormat::Matpower),
            ("function mpc = a", FeederFormat::Matpower),
            ("\n! a script", FeederFormat::OpenDss),
            ("Clear\n", FeederFormat::OpenDss),
            ("{\"is_batch\": false", FeederFormat::PowerGridModel),
        ] {
            let found = FeederFormat::from_content("-", text.as_bytes());
            assert_eq!(found.ok(), Some(format), "{text}");
        }
        let error = FeederFormat::from_content("x", b"\n\n1,2\n").expect_err("no feeder");
        assert!(error.to_string().starts_with("x, line 3: expected a feeder"), "{error}");
    }
}
