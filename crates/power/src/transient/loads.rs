//! Sources in time, by their straight pieces: most steps need one product per source.

use palmette_core::Circuit;
use palmette_core::circuit::{Element, Span};

/// A source that changes.
pub(super) struct Changing {
    pub(super) element: u32,
    pub(super) ends: [u32; 2],
    /// Between these times the value is `value + slope · (t − from)`.
    from: f64,
    to: f64,
    value: f64,
    slope: f64,
}

impl Changing {
    pub(super) fn new(k: usize, element: &Element) -> Changing {
        let nothing = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0);
        let (from, to, value, slope) = nothing;
        Changing { element: k as u32, ends: element.ends, from, to, value, slope }
    }

    /// Its value at a time.
    #[inline]
    pub(super) fn at(&mut self, circuit: &Circuit, time: f64, span: Span) -> f64 {
        if time >= self.from && time <= self.to {
            return self.value + self.slope * (time - self.from);
        }
        self.look_up(circuit, time, span)
    }

    #[cold]
    fn look_up(&mut self, circuit: &Circuit, time: f64, span: Span) -> f64 {
        let element = &circuit.elements[self.element as usize];
        let Some(wave) = circuit.wave(element) else { return element.value };
        match wave.piece(time, span) {
            Some([from, to, value, slope]) => {
                // Before the first corner: any time is as good as another to count from.
                let from = if from.is_finite() { from } else { time.min(to) };
                (self.from, self.to, self.value, self.slope) = (from, to, value, slope);
                value + slope * (time - from)
            }
            None => wave.at(time, span),
        }
    }
}
