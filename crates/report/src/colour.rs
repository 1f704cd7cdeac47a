//! Colours: the Okabe–Ito palette for series, viridis for values, and the style sheet.
//!
//! **Reference.** Okabe and Ito, *Color universal design*, 2008; van der Walt and Smith,
//! *A better default colormap for Matplotlib*, 2015 (nine points of viridis, joined
//! linearly).

/// How many series get a colour of their own; after that colours repeat, dashed.
pub(crate) const SERIES: usize = 7;

/// The style sheet of every picture.
///
/// Okabe and Ito's blue and black are too dark on a dark ground: there blue and sky blue
/// change places and black becomes light. Plain classes, no CSS variables: some readers of
/// SVG do not know those.
pub(crate) const STYLE: &str = "\
text{font-family:system-ui,sans-serif;font-size:12px;fill:#1f2328}
.title{font-size:16px;font-weight:600}.panel{font-size:13px;font-weight:600}
.note,.tick{font-size:11px;fill:#57606a}.small{font-size:10px}.inner{font-size:10px;fill:#57606a}
.ground{fill:#ffffff}.axis{stroke:#57606a;stroke-width:1;fill:none}
.grid{stroke:#d8dee4;stroke-width:1;fill:none}.branch{stroke:#57606a;stroke-width:1.2;fill:none}
.vertex{fill:#57606a}.ring{stroke:#57606a;stroke-width:.75}.missing{fill:#ffffff}
.line{fill:none;stroke-width:2;stroke-linejoin:round}.thin{stroke-width:1}
.halo{paint-order:stroke;stroke:#ffffff;stroke-width:4px}.area{fill-opacity:.35}.dashed{stroke-dasharray:6 3}
.f0{fill:#0072b2}.f1{fill:#d55e00}.f2{fill:#009e73}.f3{fill:#cc79a7}.f4{fill:#e69f00}.f5{fill:#56b4e9}.f6{fill:#000000}
.l0{stroke:#0072b2}.l1{stroke:#d55e00}.l2{stroke:#009e73}.l3{stroke:#cc79a7}.l4{stroke:#e69f00}.l5{stroke:#56b4e9}.l6{stroke:#000000}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.note,.tick,.inner{fill:#9ea7b3}.ground,.missing{fill:#0d1117}
.axis,.branch,.ring{stroke:#9ea7b3}.grid{stroke:#30363d}.halo{stroke:#0d1117}.vertex{fill:#9ea7b3}
.f0{fill:#56b4e9}.f5{fill:#0072b2}.f6{fill:#f0f0f0}.l0{stroke:#56b4e9}.l5{stroke:#0072b2}.l6{stroke:#f0f0f0}
}
";

/// The class that fills with a series' colour.
pub(crate) fn fill(series: usize) -> String {
    format!("f{}", series % SERIES)
}

/// The class that draws lines in a series' colour.
pub(crate) fn stroke(series: usize) -> String {
    let dashed = if series >= SERIES { " dashed" } else { "" };
    format!("l{}{dashed}", series % SERIES)
}

const VIRIDIS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// The colour of a value between 0 and 1; values outside are clamped.
pub(crate) fn viridis(value: f64) -> String {
    let place = value.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (place as usize).min(VIRIDIS.len() - 2);
    let part = place - low as f64;
    let mut text = String::from("#");
    for (&a, &b) in VIRIDIS[low].iter().zip(&VIRIDIS[low + 1]) {
        let mixed = f64::from(a) + (f64::from(b) - f64::from(a)) * part;
        text.push_str(&format!("{:02x}", mixed.round() as u8));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_the_scale() {
        assert_eq!([viridis(-1.0), viridis(0.0)], ["#440154", "#440154"]);
        assert_eq!([viridis(1.0), viridis(2.0)], ["#fde725", "#fde725"]);
        assert_eq!(viridis(0.5), "#21908d");
    }
}
