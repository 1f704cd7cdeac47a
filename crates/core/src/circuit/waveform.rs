//! What a source does in time: SPICE's PWL, PULSE and SIN.

use std::f64::consts::PI;

/// The step and the end of an analysis, from which SPICE takes what a waveform leaves out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Seconds between printed points.
    pub step: f64,
    /// The last second.
    pub stop: f64,
}

/// A value that changes in time.
#[derive(Debug, Clone, PartialEq)]
pub enum Waveform {
    /// Straight lines between points of time and value; constant before the first and after the
    /// last. Times do not go back; of two at the same time the later counts from then on.
    Pwl(Vec<[f64; 2]>),
    /// A trapezoid, again and again.
    Pulse {
        /// The value at rest and at the top.
        levels: [f64; 2],
        /// The first rise starts then.
        delay: f64,
        /// Rise, fall, width of the top and period; the step, the step and twice the end where
        /// the netlist leaves them out or says 0.
        times: [Option<f64>; 4],
    },
    /// `offset + amplitude · exp(−damping (t − delay)) · sin(2π frequency (t − delay) + phase)`.
    Sin {
        /// The mean.
        offset: f64,
        /// The largest distance from it.
        amplitude: f64,
        /// In hertz; one oscillation until the end where the netlist leaves it out.
        frequency: Option<f64>,
        /// It starts then.
        delay: f64,
        /// By which it decays, per second.
        damping: f64,
        /// In degrees.
        phase: f64,
    },
}

/// A pulse with nothing left out.
struct Times {
    rise: f64,
    fall: f64,
    width: f64,
    period: f64,
}

fn times([rise, fall, width, period]: [Option<f64>; 4], span: Span) -> Times {
    // As in ngspice, a time of 0 is one that is left out.
    let edge = |time: Option<f64>| time.filter(|t| *t > 0.0).unwrap_or(span.step);
    let long = |time: Option<f64>| time.filter(|t| *t > 0.0).unwrap_or(span.stop);
    Times { rise: edge(rise), fall: edge(fall), width: long(width), period: long(period) }
}

impl Waveform {
    /// The same with all values multiplied.
    pub fn scaled(mut self, by: f64) -> Waveform {
        match &mut self {
            Waveform::Pwl(points) => points.iter_mut().for_each(|point| point[1] *= by),
            Waveform::Pulse { levels, .. } => *levels = levels.map(|level| level * by),
            Waveform::Sin { offset, amplitude, .. } => {
                *offset *= by;
                *amplitude *= by;
            }
        }
        self
    }

    /// The value at a time.
    pub fn at(&self, time: f64, span: Span) -> f64 {
        match self {
            Waveform::Pwl(points) => piecewise(points, time),
            &Waveform::Pulse { levels: [low, high], delay, times: stated } => {
                let Times { rise, fall, width, period } = times(stated, span);
                let mut since = time - delay;
                if since > period {
                    since -= period * (since / period).floor();
                }
                if since <= 0.0 {
                    low
                } else if since < rise {
                    low + (high - low) * (since / rise)
                } else if since <= rise + width {
                    high
                } else if since < rise + width + fall {
                    high + (low - high) * ((since - rise - width) / fall)
                } else {
                    low
                }
            }
            &Waveform::Sin { offset, amplitude, frequency, delay, damping, phase } => {
                let since = (time - delay).max(0.0);
                let frequency = frequency.unwrap_or(1.0 / span.stop);
                let angle = 2.0 * PI * frequency * since + phase * PI / 180.0;
                offset + amplitude * (-damping * since).exp() * angle.sin()
            }
        }
    }

    /// The straight piece around a time: from when, until when, its value then and its slope. Nothing
    /// for what is not straight.
    pub fn piece(&self, time: f64, span: Span) -> Option<[f64; 4]> {
        match self {
            Waveform::Pwl(points) => {
                let after = points.partition_point(|point| point[0] <= time);
                let before = after.checked_sub(1).map(|k| points[k]);
                Some(match (before, points.get(after)) {
                    (Some([t, v]), Some([u, w])) => [t, *u, v, (w - v) / (u - t)],
                    (Some([t, v]), None) => [t, f64::INFINITY, v, 0.0],
                    (None, Some([u, w])) => [f64::NEG_INFINITY, *u, *w, 0.0],
                    (None, None) => return None,
                })
            }
            &Waveform::Pulse { levels: [low, high], delay, times: stated } => {
                let Times { rise, fall, width, period } = times(stated, span);
                let since = time - delay;
                if since < 0.0 {
                    return Some([f64::NEG_INFINITY, delay, low, 0.0]);
                }
                let start = delay + period * (since / period).floor();
                let corners = [0.0, rise, rise + width, rise + width + fall, period];
                let values = [low, high, high, low, low];
                // A period may end before its pulse does.
                let ends = corners.map(|corner| start + corner.min(period));
                let k = (0..4).find(|&k| time >= ends[k] && time < ends[k + 1])?;
                let slope = match corners[k + 1] - corners[k] {
                    wide if wide > 0.0 => (values[k + 1] - values[k]) / wide,
                    _ => 0.0,
                };
                Some([ends[k], ends[k + 1], values[k], slope])
            }
            Waveform::Sin { .. } => None,
        }
    }

    /// The times up to the end at which it has a corner, appended to a list.
    pub fn corners(&self, span: Span, list: &mut Vec<f64>) {
        let end = span.stop;
        match self {
            Waveform::Pwl(points) => {
                list.extend(points.iter().map(|p| p[0]).filter(|t| *t > 0.0 && *t < end));
            }
            &Waveform::Pulse { delay, times: stated, .. } => {
                let Times { rise, fall, width, period } = times(stated, span);
                let mut start = delay;
                let mut pulses = 0;
                // A period far below the step has no corners worth stopping at.
                while start < end && pulses < MOST_PULSES {
                    let corners = [0.0, rise, rise + width, rise + width + fall];
                    let inside = corners.iter().filter(|t| **t <= period).map(|t| start + t);
                    list.extend(inside.filter(|t| *t > 0.0 && *t < end));
                    pulses += 1;
                    start = delay + f64::from(pulses) * period;
                }
            }
            &Waveform::Sin { delay, .. } => {
                list.extend((delay > 0.0 && delay < end).then_some(delay))
            }
        }
    }
}

/// Pulses of one source whose corners are kept.
const MOST_PULSES: u32 = 1 << 20;

fn piecewise(points: &[[f64; 2]], time: f64) -> f64 {
    // The first point after the time.
    let after = points.partition_point(|point| point[0] <= time);
    match (after.checked_sub(1).map(|k| points[k]), points.get(after)) {
        (Some([t, v]), Some([u, w])) => v + (w - v) * ((time - t) / (u - t)),
        (Some([_, v]), None) | (None, Some(&[_, v])) => v,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span { step: 0.5, stop: 100.0 };

    #[test]
    fn straight_lines() {
        let wave = Waveform::Pwl(vec![[1.0, 2.0], [3.0, 6.0], [3.0, 0.0], [4.0, 1.0]]);
        for (time, value) in
            [(0.0, 2.0), (1.0, 2.0), (2.0, 4.0), (2.5, 5.0), (3.0, 0.0), (3.5, 0.5), (9.0, 1.0)]
        {
            assert_eq!(wave.at(time, SPAN), value, "{time}");
        }
        let mut corners = Vec::new();
        wave.corners(SPAN, &mut corners);
        assert_eq!(corners, [1.0, 3.0, 3.0, 4.0]);
    }

    #[test]
    fn pulses() {
        let times = [Some(1.0), Some(2.0), Some(3.0), Some(10.0)];
        let wave = Waveform::Pulse { levels: [1.0, 5.0], delay: 2.0, times };
        let values = [
            (0.0, 1.0),
            (2.0, 1.0),
            (2.5, 3.0),
            (3.0, 5.0),
            (6.0, 5.0),
            (7.0, 3.0),
            (8.0, 1.0),
            (11.9, 1.0),
            (12.5, 3.0),
            (26.0, 5.0),
        ];
        for (time, value) in values {
            assert!((wave.at(time, SPAN) - value).abs() < 1e-12, "{time}");
        }
        let mut corners = Vec::new();
        wave.corners(Span { stop: 13.5, ..SPAN }, &mut corners);
        assert_eq!(corners, [2.0, 3.0, 6.0, 8.0, 12.0, 13.0]);
        // Left out: edges of a step, a top until the end.
        let wave = Waveform::Pulse { levels: [0.0, 1.0], delay: 1.0, times: [None; 4] };
        assert_eq!([1.25, 1.5, 99.0].map(|t| wave.at(t, SPAN)), [0.5, 1.0, 1.0]);
        // So is 0: of the width, too, and the period cuts the pulse off.
        let times = [Some(1.0), Some(1.0), Some(0.0), Some(10.0)];
        let wave = Waveform::Pulse { levels: [0.0, 1.0], delay: 0.0, times };
        assert_eq!([0.5, 1.5, 9.5, 10.5].map(|t| wave.at(t, SPAN)), [0.5, 1.0, 1.0, 0.5]);
    }

    #[test]
    fn pieces_are_as_the_whole() {
        let times = [Some(1.0), Some(2.0), Some(3.0), Some(10.0)];
        let cut = [Some(1.0), Some(2.0), Some(30.0), Some(10.0)];
        let waves = [
            Waveform::Pwl(vec![[1.0, 2.0], [3.0, 6.0], [3.0, 0.0], [4.0, 1.0]]),
            Waveform::Pulse { levels: [1.0, 5.0], delay: 2.0, times },
            Waveform::Pulse { levels: [1.0, 5.0], delay: -2.0, times: [None; 4] },
            Waveform::Pulse { levels: [1.0, 5.0], delay: 0.0, times: cut },
        ];
        for wave in waves {
            for k in 0..4000 {
                let time = f64::from(k) * 0.00937;
                let Some([from, to, value, slope]) = wave.piece(time, SPAN) else { continue };
                assert!(from <= time && time <= to, "{wave:?} {time}");
                let rise = if slope == 0.0 { 0.0 } else { slope * (time - from) };
                let (piece, whole) = (value + rise, wave.at(time, SPAN));
                assert!((piece - whole).abs() < 1e-9, "{wave:?} at {time}: {piece}, {whole}");
            }
        }
    }

    #[test]
    fn sines() {
        let wave = |delay, phase| Waveform::Sin {
            offset: 1.0,
            amplitude: 2.0,
            frequency: Some(0.25),
            delay,
            damping: 0.0,
            phase,
        };
        assert_eq!(wave(0.0, 0.0).at(1.0, SPAN), 3.0);
        assert_eq!(wave(3.0, 90.0).at(1.0, SPAN), 3.0);
        assert!((wave(3.0, 0.0).at(6.0, SPAN) + 1.0).abs() < 1e-12);
    }
}
