//! Transformers from their nameplates, to the branch of a balanced feeder.

use palmette_core::feeder::Complex;

/// Which side a tap changer is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TapSide {
    High,
    Low,
    None,
}

/// What stands on a transformer of two windings; `hv` is the `from` side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nameplate {
    pub(crate) sn_mva: f64,
    pub(crate) vn_hv_kv: f64,
    pub(crate) vn_lv_kv: f64,
    pub(crate) vk_percent: f64,
    pub(crate) vkr_percent: f64,
    pub(crate) pfe_kw: f64,
    pub(crate) i0_percent: f64,
    pub(crate) shift_degree: f64,
    pub(crate) tap_side: TapSide,
    /// Steps from the neutral position.
    pub(crate) tap_steps: f64,
    pub(crate) tap_step_percent: f64,
    pub(crate) tap_step_degree: f64,
    pub(crate) parallel: f64,
}

/// Where the magnetising admittance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Magnetising {
    /// Half of it at either end (power-grid-model, MATPOWER).
    Ends,
    /// In the middle of the impedance (pandapower's default).
    Middle,
}

/// A branch in the convention of MATPOWER.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Branch {
    pub(crate) z: Complex,
    pub(crate) y: Complex,
    pub(crate) ratio: Complex,
    pub(crate) rated_a: [f64; 2],
}

impl Nameplate {
    /// Between buses of nominal voltages in kV. The impedance sits on the low-voltage side:
    /// `z = vk (V_lv / V_bus)² S_b / s_n` with the tapped voltage, and the ratio is
    /// `(V_hv / V_lv) (V_bus,lv / V_bus,hv)`. A positive shift means that the low side lags.
    pub(crate) fn branch(
        &self,
        bus_hv_kv: f64,
        bus_lv_kv: f64,
        base_mva: f64,
        magnetising: Magnetising,
    ) -> Branch {
        let (mut hv, mut lv, mut shift) = (self.vn_hv_kv, self.vn_lv_kv, self.shift_degree);
        let du = self.tap_step_percent * self.tap_steps / 100.0;
        let (sin, cos) = self.tap_step_degree.to_radians().sin_cos();
        let tapped = |nominal: f64| nominal * (1.0 + du * cos).hypot(du * sin);
        let turned = (du * sin / (1.0 + du * cos)).atan().to_degrees();
        match self.tap_side {
            TapSide::High => (hv, shift) = (tapped(hv), shift + turned),
            TapSide::Low => (lv, shift) = (tapped(lv), shift - turned),
            TapSide::None => {}
        }
        let scale = (lv / bus_lv_kv).powi(2) * base_mva / self.sn_mva / self.parallel;
        let (z, r) = (self.vk_percent / 100.0, self.vkr_percent / 100.0);
        let x = (z * z - r * r).max(0.0).sqrt().copysign(z);
        let z = Complex::new(r * scale, x * scale);
        let (g, magnitude) = (self.pfe_kw * 1e-3, self.i0_percent / 100.0 * self.sn_mva);
        let b = -(magnitude * magnitude - g * g).max(0.0).sqrt();
        let y = Complex::new(g, b) * ((bus_lv_kv / lv).powi(2) / base_mva * self.parallel);
        let (z, y) = match magnetising {
            Magnetising::Ends => (z, y),
            // A star of z/2, z/2 and 1/y as a triangle.
            Magnetising::Middle => {
                (z + z * z * y * 0.25, y / (Complex::new(1.0, 0.0) + z * y * 0.25))
            }
        };
        let ratio = hv / lv * bus_lv_kv / bus_hv_kv;
        let ampere = |kv: f64| self.parallel * self.sn_mva * 1e3 / (3f64.sqrt() * kv);
        Branch {
            z,
            y,
            ratio: Complex::from_polar(ratio, shift.to_radians()),
            rated_a: [ampere(self.vn_hv_kv), ampere(self.vn_lv_kv)],
        }
    }
}
