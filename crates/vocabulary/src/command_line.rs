//! The command line of a run, as it would be typed again.

/// What was typed after the name of the program, without what decides only what is printed and
/// kept.
pub fn typed(program: &str) -> String {
    let arguments = std::env::args_os().skip(1);
    again(program, arguments.map(|argument| argument.to_string_lossy().into_owned()))
}

fn again(program: &str, mut arguments: impl Iterator<Item = String>) -> String {
    let mut line = program.to_string();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" | "-q" | "--quiet" => {}
            "--record" => drop(arguments.next()),
            text if text.starts_with("--record=") => {}
            text => {
                line.push(' ');
                line.push_str(&quoted(text));
            }
        }
    }
    line
}

/// A word as shells take it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%^".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_can_be_typed_again() {
        let words = "mesh map --json a.msh --record r.json -q --machine torus:8x8 --record=s";
        let words = words.split(' ').map(str::to_string);
        assert_eq!(again("palmette", words), "palmette mesh map a.msh --machine torus:8x8");
        let odd = ["tree", "info", "it's here.nwk", "", "*.csv"].map(str::to_string);
        let line = again("palmette", odd.into_iter());
        assert_eq!(line, r"palmette tree info 'it'\''s here.nwk' '' '*.csv'");
    }
}
