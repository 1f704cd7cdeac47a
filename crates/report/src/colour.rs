//! Colours: the Okabe–Ito palette for series, viridis for values, mako for maps and lines on
//! grids, and the style sheet.
//!
//! **Reference.** Okabe and Ito, *Color universal design*, 2008; van der Walt and Smith,
//! *A better default colormap for Matplotlib*, 2015 (nine points of viridis, joined
//! linearly); Waskom, *seaborn*, 2021 (nine points of mako).

/// How many series get a colour of their own; after that colours repeat, dashed.
pub(crate) const SERIES: usize = 7;

/// The style sheet of every picture.
///
/// Okabe and Ito's blue and black are too dark on a dark ground: there blue and sky blue
/// change places and black becomes light. Plain classes, no CSS variables: some readers of
/// SVG do not know those.
pub(crate) const STYLE: &str = "\
text{font-family:system-ui,sans-serif;font-size:12px;fill:#1f2328}
.title{font-size:16px;font-weight:600}.panel{font-size:13px;font-weight:600}.note,.tick,.inner{fill:#57606a}
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

/// Further rules of plots: points, the curve of a law, and what it is compared with.
pub(crate) const PLOT_STYLE: &str = "\
.point{stroke:#ffffff;stroke-width:.8}.hollow{fill:#ffffff;stroke-width:1.6}.grey{stroke:#57606a}
.power{fill:#57606a}
.law{fill:none;stroke:#1f2328;stroke-width:1.8;stroke-dasharray:7 4}
.baseline{fill:none;stroke:#57606a;stroke-width:1.5;stroke-dasharray:1.5 3}
.limit{stroke:#1f2328;stroke-width:1.2}.d1{stroke-dasharray:9 3}.d2{stroke-dasharray:2.5 2.5}.d3{stroke-dasharray:10 3 2 3}
.d4{stroke-dasharray:5 3}.d5{stroke-dasharray:10 3 2 3 2 3}.d6{stroke-dasharray:16 4}
@media (prefers-color-scheme:dark){
.power{fill:#9ea7b3}.point{stroke:#0d1117}.hollow{fill:#0d1117}.grey,.baseline{stroke:#9ea7b3}.law,.limit{stroke:#e6edf3}
}
";

/// How many steps the colours of a grid's map have: the classes `h0` to `h11`.
pub(crate) const HEAT_STEPS: usize = 12;

/// Further rules of the pictures of grids.
///
/// What is small fades into the ground and what is large stands out, so the steps run one
/// way on a light ground and the other way on a dark one.
pub(crate) fn grid_style() -> String {
    let steps = |ends| -> String {
        (0..HEAT_STEPS).map(|i| format!(".h{i}{{color:{}}}", heat(ends, i))).collect()
    };
    format!("{GRID}{}\n{GRID_DARK}{}\n}}\n", steps(LIGHT), steps(DARK))
}

/// The colour of a step between these ends of mako.
fn heat((from, to): (f64, f64), step: usize) -> String {
    mix(&MAKO, from + (to - from) * step as f64 / (HEAT_STEPS - 1) as f64)
}

/// The steps of heat as variables of a page, which its canvases take their colours from.
pub(crate) fn heat_variables() -> String {
    let step = |i| format!("--h{i}:light-dark({},{});", heat(LIGHT, i), heat(DARK, i));
    format!(":root{{{}}}\n", (0..HEAT_STEPS).map(step).collect::<String>())
}

/// Where in mako the steps begin and end on each ground.
const LIGHT: (f64, f64) = (0.95, 0.1);
const DARK: (f64, f64) = (0.17, 0.97);

const GRID: &str = "\
.curve{fill:none;stroke:#e3e8ee;stroke-linejoin:round;stroke-linecap:round}.cells{stroke:#eef1f4;stroke-width:1;fill:none}
.edge{fill:none;stroke:currentColor;stroke-linecap:round}.bold{stroke-width:1.8}.fine{stroke-width:1.1}.hair{stroke-width:.4}
.heat{fill:currentColor;shape-rendering:crispEdges}.zero{fill:#e9ecf0;shape-rendering:crispEdges}
.mark{fill:none;stroke:#d55e00;stroke-width:2.5}.under{fill:none;stroke:#ffffff;stroke-width:6}
.far{fill:none;stroke:#d55e00;stroke-width:1.2;stroke-opacity:.8}
.entry{shape-rendering:crispEdges}.strand{fill:none;stroke-linecap:round}.pale{stroke:#b9c1ca}
.heavy{stroke-width:2.8}.slim{stroke-width:.7}.f7{fill:#f0e442}.l7{stroke:#f0e442}.faded{opacity:.5}
.tile{stroke:#ffffff;stroke-width:.4;stroke-linejoin:round}.tile.bare{stroke:none;shape-rendering:crispEdges}.wire{fill:#ffffff;stroke:#57606a;stroke-width:.4;stroke-linejoin:round}.strand.bare{stroke-width:.5}
";

const GRID_DARK: &str = "\
@media (prefers-color-scheme:dark){
.curve{stroke:#262c36}.cells{stroke:#1b2129}.zero{fill:#2b3037}.under{stroke:#0d1117}.pale{stroke:#444c56}
.tile{stroke:#0d1117}.wire{fill:#0d1117;stroke:#9ea7b3}
";

/// Further rules of pictures of fields. Lines over the colours of values have the same looks on
/// both grounds, as the colours have.
pub(crate) const FIELD_STYLE: &str = "\
.outline{fill:none;stroke:#1f2328;stroke-width:.8;stroke-linejoin:round}
.iso{fill:none;stroke:#ffffff;stroke-opacity:.65;stroke-width:.7}.bright{stroke:#000000;stroke-opacity:.5}
.arrow{fill:none;stroke:#ffffff;stroke-width:1.1;stroke-linejoin:round;stroke-linecap:round}
.under-arrow{stroke:#000000;stroke-opacity:.6;stroke-width:2.6}.peak{fill:#ffffff;stroke:#000000;stroke-width:1.2;stroke-linejoin:round}
@media (prefers-color-scheme:dark){
.outline{stroke:#e6edf3}
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

/// The class of a series' dashes: with the colour, forty-nine series differ.
pub(crate) fn dashes(series: usize) -> String {
    format!("d{}", (series + series / SERIES) % SERIES)
}

const VIRIDIS: [u32; 9] =
    [0x440154, 0x472c7a, 0x3b518b, 0x2c718e, 0x21908d, 0x27ad81, 0x5cc863, 0xaadc32, 0xfde725];

const MAKO: [u32; 9] =
    [0x0b0405, 0x2b1c35, 0x3e356b, 0x3b5698, 0x357ba3, 0x359eaa, 0x49c1ad, 0x96ddb5, 0xdef5e5];

/// The colour of a value between 0 and 1; values outside are clamped.
pub(crate) fn viridis(value: f64) -> String {
    mix(&VIRIDIS, value)
}

/// As [`viridis`], in bytes of red, green and blue.
pub(crate) fn viridis_bytes(value: f64) -> [u8; 3] {
    mix_bytes(&VIRIDIS, value)
}

fn mix(points: &[u32; 9], value: f64) -> String {
    let [red, green, blue] = mix_bytes(points, value);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn mix_bytes(points: &[u32; 9], value: f64) -> [u8; 3] {
    let place = value.clamp(0.0, 1.0) * (points.len() - 1) as f64;
    let low = (place as usize).min(points.len() - 2);
    let part = place - low as f64;
    std::array::from_fn(|i| {
        let [a, b] = [points[low], points[low + 1]].map(|rgb| f64::from(rgb >> (16 - 8 * i) & 255));
        (a + (b - a) * part).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_heat_turn_with_the_theme() {
        let style = grid_style();
        let (light, dark) = style.split_once("@media").expect("both themes");
        let ends = |rules: &str, ends: (f64, f64)| {
            assert_eq!(rules.matches("{color:").count(), HEAT_STEPS);
            assert!(rules.contains(&format!(".h0{{color:{}}}", mix(&MAKO, ends.0))));
            assert!(rules.contains(&format!(".h11{{color:{}}}", mix(&MAKO, ends.1))));
        };
        ends(light, LIGHT);
        ends(dark, DARK);
    }

    /// On a phone of 390 pixels pages have 356 for a picture.
    #[test]
    fn letters_are_large_enough_for_a_phone() {
        use crate::paper::{SMALL, WIDTH};
        const { assert!(SMALL * 356.0 / WIDTH >= 9.0) };
        for style in [STYLE, PLOT_STYLE, FIELD_STYLE, &grid_style()] {
            for rest in style.split("font-size:").skip(1) {
                let size: f64 = rest.split("px").next().unwrap_or("").parse().expect("pixels");
                assert!(size >= SMALL, "{size}");
            }
        }
    }

    #[test]
    fn ends_of_the_scale() {
        assert_eq!([viridis(-1.0), viridis(0.0)], ["#440154", "#440154"]);
        assert_eq!([viridis(1.0), viridis(2.0)], ["#fde725", "#fde725"]);
        assert_eq!(viridis(0.5), "#21908d");
    }
}
