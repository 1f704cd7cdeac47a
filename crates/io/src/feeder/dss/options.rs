//! Options of `set` and `solve`: those that change an answer are taken over or refused.

use super::script::{Place, Script};
use super::tokens::{self, Word};
use crate::IoError;
use crate::quote::shown;

impl Script<'_> {
    /// Sets an option, of `set` or of `solve`.
    pub(super) fn option(&mut self, word: &Word<'_>, place: Place) -> Result<(), IoError> {
        let name = word.name.as_deref().unwrap_or_default();
        let number = || {
            let found = shown(&word.value);
            tokens::number(&word.value).ok_or_else(|| self.wrong(place, "a number", found))
        };
        match name {
            "defaultbasefrequency" | "defaultbasefreq" => {
                let frequency = number()?;
                // A source that is there keeps its own, and would give nothing at another.
                if frequency != self.frequency && !self.objects.is_empty() {
                    let expected = format!(
                        "DefaultBaseFrequency before `New Circuit`, whose source has {} Hz",
                        self.frequency
                    );
                    return Err(self.wrong(place, expected, shown(&word.value)));
                }
                self.frequency = frequency;
                self.changes(name, place);
            }
            "loadmult" => {
                self.load_factor = number()?;
                self.changes(name, place);
            }
            "voltagebases" => {
                let bases = tokens::numbers(&word.value);
                let found = shown(&word.value);
                self.voltage_bases =
                    bases.ok_or_else(|| self.wrong(place, "voltages in kV", found))?;
            }
            "controlmode" => self.controls_off = word.value.eq_ignore_ascii_case("off"),
            "mode" if word.value.to_ascii_lowercase().starts_with("snap") => {}
            // One solution, which is what there is.
            "number" if number()? == 1.0 => {}
            "tolerance" | "maxiterations" | "maxiter" | "maxcontroliter" | "algorithm"
            | "editor" | "showexport" | "casename" | "bus" | "emergvminpu" | "normvminpu"
            | "emergvmaxpu" | "normvmaxpu" | "priceCurve" | "nodewidth" | "markerstyle" => {}
            _ => {
                let expected = "an option of `set` and `solve` that is known (DefaultBaseFrequency, LoadMult, \
                    VoltageBases, ControlMode, mode=snap, tolerance …)";
                let found = match name.is_empty() {
                    true => shown(&word.value),
                    false => shown(&format!("{name}={}", word.value)),
                };
                return Err(self.wrong(place, expected, found));
            }
        }
        Ok(())
    }
}
