//! What a source says: its constant value, and what it does in time.

use super::scope::Scope;
use super::tokens::Token;
use palmette_core::circuit::Waveform;

/// The values of a source.
#[derive(Debug, Default)]
pub(super) struct Stated {
    pub(super) constant: Option<f64>,
    pub(super) wave: Option<Waveform>,
    /// By which a current source is multiplied.
    pub(super) multiple: f64,
}

/// What was expected, and what was found.
pub(super) type Wrong = (&'static str, String);

/// Waveforms of SPICE that are not here.
const OTHERS: [&str; 8] =
    ["exp", "sffm", "am", "trnoise", "trrandom", "pat", "external", "pwlfile"];

/// Reads `[DC] value`, `AC …` (which means nothing here) and a waveform, in any order.
pub(super) fn source(
    tokens: &[Token<'_>],
    scope: &Scope,
    is_current: bool,
) -> Result<Stated, Wrong> {
    let mut stated = Stated { multiple: 1.0, ..Stated::default() };
    let number = |token: Token<'_>| scope.of_token(token).map_err(|found| ("a number", found));
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        let is = |word: &str| token.is_word(word);
        let is_wave = ["pwl", "pulse", "sin"].iter().any(|name| is(name));
        if let [Token::Word(name), Token::Equals, value, ..] = tokens[at..] {
            let number = number(value)?;
            match name.to_ascii_lowercase().as_str() {
                "m" if is_current && number > 0.0 => stated.multiple *= number,
                "dc" if stated.constant.is_none() => stated.constant = Some(number),
                _ => return Err(("a source without this option", format!("`{name}`"))),
            }
            at += 3;
        } else if is("dc") || is("ac") {
            let direct = is("dc");
            at += 1;
            // `AC magnitude phase`.
            for _ in 0..if direct { 1 } else { 2 } {
                let Some(&value) = tokens.get(at) else { break };
                let next_is_name = tokens.get(at + 1) == Some(&Token::Equals);
                let is_number = !next_is_name && scope.of_token(value).is_ok();
                if direct {
                    set(&mut stated.constant, number(value)?)?;
                } else if !is_number {
                    break;
                }
                at += 1;
            }
            if direct && tokens.get(at - 1).is_some_and(|t| t.is_word("dc")) {
                return Err(("a number after DC", "the end".to_string()));
            }
        } else if is_wave {
            if stated.wave.is_some() {
                return Err(("one waveform", format!("another, `{}`", token.text())));
            }
            let length = arguments(&tokens[at + 1..]);
            let inside = &tokens[at + 1..at + 1 + length];
            stated.wave = Some(waveform(token.text(), inside, scope)?);
            at += 1 + length;
        } else if OTHERS.iter().any(|name| is(name)) {
            return Err((
                "PWL, PULSE or SIN, the waveforms that are supported",
                format!("`{}`", token.text()),
            ));
        } else {
            set(&mut stated.constant, number(token)?)?;
            at += 1;
        }
    }
    Ok(stated)
}

fn set(constant: &mut Option<f64>, number: f64) -> Result<(), Wrong> {
    match constant.replace(number) {
        None => Ok(()),
        Some(_) => Err(("one value", format!("another, {number}"))),
    }
}

/// How many tokens belong to a waveform: up to its parenthesis, or all numbers without one.
fn arguments(tokens: &[Token<'_>]) -> usize {
    match tokens.first() {
        Some(Token::Open) => {
            let close = tokens.iter().position(|token| *token == Token::Close);
            let mut end = close.map_or(tokens.len(), |close| close + 1);
            // `PWL(…) td=1n`.
            while let [Token::Word(name), Token::Equals, _, ..] = tokens[end..] {
                if !["td", "r"].iter().any(|known| name.eq_ignore_ascii_case(known)) {
                    break;
                }
                end += 3;
            }
            end
        }
        _ => {
            let ends = |token: &Token<'_>| ["dc", "ac", "m"].iter().any(|w| token.is_word(w));
            tokens.iter().position(ends).unwrap_or(tokens.len())
        }
    }
}

fn waveform(name: &str, tokens: &[Token<'_>], scope: &Scope) -> Result<Waveform, Wrong> {
    let mut numbers = Vec::new();
    let mut delay = 0.0;
    let mut at = 0;
    let mut depth = 0;
    let is_pwl = name.eq_ignore_ascii_case("pwl");
    while let Some(&token) = tokens.get(at) {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (Token::Open, ..) if at == 0 => depth = 1,
            (Token::Close, ..) if depth == 1 => depth = 0,
            (Token::Word(option), Some(Token::Equals), Some(&value)) => {
                if !(is_pwl && option.eq_ignore_ascii_case("td")) {
                    return Err(("a waveform without this option", format!("`{option}`")));
                }
                delay = scope.of_token(value).map_err(|found| ("a number", found))?;
                at += 2;
            }
            _ => numbers.push(scope.of_token(token).map_err(|found| ("a number", found))?),
        }
        at += 1;
    }
    if depth != 0 {
        return Err(("`)` after the numbers of a waveform", "the end".to_string()));
    }
    match name.to_ascii_lowercase().as_str() {
        "pwl" => piecewise(&numbers, delay),
        "pulse" => pulse(&numbers),
        _ => sine(&numbers),
    }
}

fn piecewise(numbers: &[f64], delay: f64) -> Result<Waveform, Wrong> {
    let (pairs, rest) = numbers.as_chunks::<2>();
    if pairs.is_empty() || !rest.is_empty() {
        let found = format!("{} numbers", numbers.len());
        return Err(("pairs of time and value", found));
    }
    if let Some(pair) = pairs.windows(2).find(|pair| pair[1][0] < pair[0][0]) {
        let found = format!("{} after {}", pair[1][0], pair[0][0]);
        return Err(("times of PWL that do not go back", found));
    }
    Ok(Waveform::Pwl(pairs.iter().map(|[t, v]| [t + delay, *v]).collect()))
}

fn pulse(numbers: &[f64]) -> Result<Waveform, Wrong> {
    if !(2..=7).contains(&numbers.len()) {
        let found = format!("{} numbers", numbers.len());
        return Err(("PULSE(v1 v2 td tr tf pw per)", found));
    }
    if let Some(time) = numbers[2..].iter().skip(1).find(|time| **time < 0.0) {
        return Err(("times of PULSE that are not negative", time.to_string()));
    }
    let get = |k: usize| numbers.get(k).copied();
    Ok(Waveform::Pulse {
        levels: [numbers[0], numbers[1]],
        delay: get(2).unwrap_or(0.0),
        times: [get(3), get(4), get(5), get(6)],
    })
}

fn sine(numbers: &[f64]) -> Result<Waveform, Wrong> {
    if !(2..=6).contains(&numbers.len()) {
        let found = format!("{} numbers", numbers.len());
        return Err(("SIN(vo va freq td theta phase)", found));
    }
    let get = |k: usize| numbers.get(k).copied();
    Ok(Waveform::Sin {
        offset: numbers[0],
        amplitude: numbers[1],
        frequency: get(2).filter(|f| *f != 0.0),
        delay: get(3).unwrap_or(0.0),
        damping: get(4).unwrap_or(0.0),
        phase: get(5).unwrap_or(0.0),
    })
}
