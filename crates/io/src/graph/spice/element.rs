//! Elements: their nodes, values and options.
//!
//! | option | of | what happens |
//! |---|---|---|
//! | `tc1=`, `tc2=`, `temp=`, `dtemp=` | R, C, L | the value at the temperature of the netlist |
//! | `m=` | all but V | as many in parallel |
//! | `scale=` | R, C, L | the value times this |
//! | `ic=`, `ac=`, `noisy=` | R, C, L | nothing: only other analyses use them |
//!
//! All others are refused.

use super::scope::Scope;
use super::sources::source;
use super::subcircuit::Frame;
use super::tokens::{Token, setting};
use super::value::value;
use super::{Place, Reader};
use crate::IoError;
use crate::error::shown;
use palmette_core::NONE;
use palmette_core::circuit::{Element, ElementKind, Span};

/// The temperature at which values are stated, and that of a circuit without `.temp`, in °C.
pub(super) const NOMINAL: f64 = 27.0;

/// What a passive element says beside its value.
struct Options {
    scale: f64,
    multiple: f64,
    coefficients: [f64; 2],
    /// Its own temperature, or the difference to the circuit's.
    temperature: Option<f64>,
    difference: f64,
}

pub(super) fn kind_of_name(name: &str) -> Option<ElementKind> {
    match name.as_bytes()[0].to_ascii_lowercase() {
        b'r' => Some(ElementKind::Resistor),
        b'c' => Some(ElementKind::Capacitor),
        b'l' => Some(ElementKind::Inductor),
        b'v' => Some(ElementKind::Voltage),
        b'i' => Some(ElementKind::Current),
        _ => None,
    }
}

impl Reader<'_> {
    /// An element whose value is a plain number; whether it was one.
    #[inline]
    pub(super) fn plain_element(&mut self, place: Place, words: &[&str]) -> Result<bool, IoError> {
        let (Some(kind), Some((word, end))) = (kind_of_name(words[0]), super::value_word(words))
        else {
            return Ok(false);
        };
        let Some(number) = value(word).filter(|_| end == words.len()) else { return Ok(false) };
        let ends = [self.node(place, words[1])?, self.node(place, words[2])?];
        self.push(place, words[0], Element { kind, ends, value: number, wave: NONE }, word)?;
        Ok(true)
    }

    /// An element of any form, perhaps inside an instance.
    pub(super) fn element(
        &mut self,
        place: Place,
        words: &[&str],
        frame: Option<&Frame>,
    ) -> Result<(), IoError> {
        let Some(kind) = kind_of_name(words[0]) else { return Err(self.unknown(place, words)) };
        if words.len() < 4 {
            return Err(self.shape(place, words));
        }
        let text = words[3..].join(" ");
        let tokens = self.tokens(place, &text)?;
        let scope = frame.map_or(&self.scope, |frame| &frame.scope).clone();
        let mut wave = NONE;
        let stated = match kind {
            ElementKind::Voltage | ElementKind::Current => {
                let found = source(&tokens, &scope, kind == ElementKind::Current);
                let found =
                    found.map_err(|(expected, found)| self.wrong(place, expected, found))?;
                let mut value = found.constant;
                if let Some(form) = found.wave {
                    // Nothing is known of the analysis yet; at time 0 that matters to no waveform.
                    let start = form.at(0.0, Span { step: 1.0, stop: 1.0 });
                    value = value.or(Some(start));
                    wave = self.circuit.waves.len() as u32;
                    self.circuit.waves.push(form.scaled(found.multiple));
                }
                value.unwrap_or(0.0) * found.multiple
            }
            _ => self.passive(place, words, kind, &tokens, &scope)?,
        };
        let (name, ends) = match frame {
            None => (words[0].to_string(), [words[1].to_string(), words[2].to_string()]),
            Some(frame) => {
                let ends = [words[1], words[2]].map(|node| frame.node(node, &self.globals));
                (format!("{}{}", frame.prefix, words[0]), ends)
            }
        };
        let ends = [self.node(place, &ends[0])?, self.node(place, &ends[1])?];
        self.push(place, &name, Element { kind, ends, value: stated, wave }, words[3])
    }

    /// The value of a resistor, capacitor or inductor with its options.
    fn passive(
        &self,
        place: Place,
        words: &[&str],
        kind: ElementKind,
        tokens: &[Token<'_>],
        scope: &Scope,
    ) -> Result<f64, IoError> {
        let number = |token: Token<'_>| {
            scope.of_token(token).map_err(|found| self.wrong(place, "a number", found))
        };
        let letter = &words[0][..1];
        let (mut base, mut rest) = match (setting(tokens), tokens.first()) {
            (None, Some(&first)) => (Some(number(first)?), &tokens[1..]),
            _ => (None, tokens),
        };
        let mut options = Options {
            scale: 1.0,
            multiple: 1.0,
            coefficients: [0.0; 2],
            temperature: None,
            difference: 0.0,
        };
        while !rest.is_empty() {
            // `tc=a b` has two numbers.
            let Some((name, token)) = setting(rest) else { return Err(self.shape(place, words)) };
            rest = &rest[3..];
            let name = name.to_ascii_lowercase();
            match name.as_str() {
                "tc" => {
                    options.coefficients[0] = number(token)?;
                    if let Some(&second) = rest.first()
                        && setting(rest).is_none()
                    {
                        options.coefficients[1] = number(second)?;
                        rest = &rest[1..];
                    }
                }
                "tc1" => options.coefficients[0] = number(token)?,
                "tc2" => options.coefficients[1] = number(token)?,
                "temp" => options.temperature = Some(number(token)?),
                "dtemp" => options.difference = number(token)?,
                "scale" => options.scale = number(token)?,
                "m" => options.multiple = number(token)?,
                "ic" | "ac" | "noisy" => {
                    number(token)?;
                }
                _ if base.is_none() && name.eq_ignore_ascii_case(letter) => {
                    base = Some(number(token)?);
                }
                _ => {
                    let expected =
                        "options that are known (tc1, tc2, temp, dtemp, m, scale, ic, ac, noisy)";
                    return Err(self.wrong(place, expected, shown(&name)));
                }
            }
        }
        let Some(base) = base else { return Err(self.shape(place, words)) };
        if options.multiple <= 0.0 {
            let found = options.multiple.to_string();
            return Err(self.wrong(place, "a positive number for `m`", found));
        }
        let own = options.temperature.unwrap_or(self.settings.temperature + options.difference);
        let warmer = own - self.settings.nominal;
        let [first, second] = options.coefficients;
        let factor = (1.0 + first * warmer + second * warmer * warmer) * options.scale;
        Ok(match kind {
            ElementKind::Capacitor => base * factor * options.multiple,
            _ => base * factor / options.multiple,
        })
    }

    /// Adds an element; `word` is what stated its value.
    #[inline]
    fn push(
        &mut self,
        place: Place,
        name: &str,
        element: Element,
        word: &str,
    ) -> Result<(), IoError> {
        let value = element.value;
        let expected = match element.kind {
            ElementKind::Resistor if value != 0.0 => {
                let is_fine = (1.0 / value).is_normal() && value.is_normal() && value > 0.0;
                (!is_fine).then_some("a resistance, not negative, with a finite reciprocal")
            }
            ElementKind::Capacitor if !(value >= 0.0 && value.is_finite()) => {
                Some("a capacitance, not negative")
            }
            ElementKind::Inductor if !(value >= 0.0 && value.is_finite()) => {
                Some("an inductance, not negative")
            }
            _ => (!value.is_finite()).then_some("a finite value"),
        };
        if let Some(expected) = expected {
            let found = match super::value::value(word) {
                Some(number) if number == value => shown(word),
                _ => value.to_string(),
            };
            return Err(self.wrong(place, expected, found));
        }
        if self.circuit.elements.len() >= palmette_core::MAX_VERTICES {
            let expected = format!("at most {} elements", palmette_core::MAX_VERTICES);
            return Err(self.wrong(place, expected, "another"));
        }
        self.element_names.push(name);
        self.element_places.push(place);
        self.circuit.elements.push(element);
        Ok(())
    }
}
