//! Any text as a program for meshes: no panic, what compiles is explained, and compiles again to
//! the same.

use palmette_language::{compile, explain};

pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match compile("fuzz", text, &[]) {
        Ok(program) => {
            let again = compile("fuzz", text, &[]).expect("it compiled before");
            assert_eq!(explain(&program, None), explain(&again, None));
        }
        Err(errors) => assert!(errors.to_string().contains("fuzz")),
    }
}
