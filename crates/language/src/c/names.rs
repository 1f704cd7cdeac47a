//! Names in the generated C program: valid, unique, and close to the user's.

/// Words that a name in `main` must not be: of C, of headers, of the runtime, of `main`.
const RESERVED: &str = "auto break case char const continue default do double else enum extern float for goto if \
    inline int long register restrict return short signed sizeof static struct switch typedef \
    union unsigned void volatile while asm linux unix stdin stdout stderr errno main argc argv i \
    unknowns shared owned start input_matrix input_vector new_vector exchange_begin exchange_end \
    local_dot owned_dot local_sum owned_sum local_smallest local_largest reduce rounds \
    print_scalar output finish row swap facts params loops guards numbers kinds limit scalar \
    sqrt fabs exp sin cos pow fmin fmax math_errhandling size_t Matrix Param Loop Facts SUM \
    SMALLEST LARGEST I";

/// Names as C can have them, no two the same.
#[derive(Debug, Default)]
pub(super) struct Names {
    used: std::collections::HashSet<String>,
}

impl Names {
    /// A name that resembles one of the program.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let mut name = name.trim_start_matches('_').to_string();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert(0, 'v');
        }
        // Macros are in capitals, types end with _t.
        let capitals = name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase());
        if RESERVED.split(' ').any(|word| word == name) || capitals || name.ends_with("_t") {
            name.push('_');
        }
        while !self.used.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// A text as a literal of C.
pub(super) fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' => literal.push(byte as char),
            b'_' | b'-' | b'+' | b'*' | b'/' | b'(' | b')' | b',' | b'.' | b'=' | b'<' | b'>' => {
                literal.push(byte as char);
            }
            _ => literal.push_str(&format!("\\{byte:03o}")),
        }
    }
    literal.push('"');
    literal
}

/// A text as a comment of C.
pub(super) fn comment(text: &str) -> String {
    let kept = |c: char| if c.is_control() || c == '\\' || !c.is_ascii() { ' ' } else { c };
    let text: String = text.chars().map(kept).collect();
    format!("/* {} */", text.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?"))
}

/// A number as a literal of C that gives the same bits.
pub(super) fn number(value: f64) -> String {
    if value.is_nan() {
        return "NAN".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "INFINITY" } else { "-INFINITY" }.to_string();
    }
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_c() {
        let mut names = Names::default();
        assert_eq!(names.fresh("rho"), "rho");
        assert_eq!(names.fresh("rho"), "rho_");
        assert_eq!(names.fresh("int"), "int_");
        assert_eq!(names.fresh("_x"), "x");
        assert_eq!(names.fresh("__"), "v");
        assert_eq!(names.fresh("EOF"), "EOF_");
        assert_eq!(names.fresh("K"), "K");
        assert_eq!(names.fresh("_1"), "v1");
    }

    #[test]
    fn texts_cannot_leave_literals_and_comments() {
        assert_eq!(literal("a\"b\\n%"), "\"a\\042b\\134n\\045\"");
        assert_eq!(comment("x */ y /* \\"), "/* x * / y / *   */");
        assert_eq!(number(0.1), "0.1");
        assert_eq!(number(1e300), "1e300");
    }
}
