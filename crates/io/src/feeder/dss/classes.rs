//! The classes of OpenDSS that are read, and their properties.
//!
//! A property is *used*, or *without effect* on the power flow of one moment with fixed taps (names of
//! banks, ratings for reports, curves over time). Any other one is an error: it may change the answer.

/// A class that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Source,
    Line,
    LineCode,
    Load,
    Transformer,
    Capacitor,
    RegControl,
    /// Meters and curves over time: they change nothing here.
    Silent,
}

/// Classes by the names that scripts use.
const CLASSES: &[(&str, Class)] = &[
    ("circuit", Class::Source),
    ("vsource", Class::Source),
    ("line", Class::Line),
    ("linecode", Class::LineCode),
    ("load", Class::Load),
    ("transformer", Class::Transformer),
    ("capacitor", Class::Capacitor),
    ("regcontrol", Class::RegControl),
    ("energymeter", Class::Silent),
    ("monitor", Class::Silent),
    ("loadshape", Class::Silent),
    ("growthshape", Class::Silent),
    ("tcc_curve", Class::Silent),
    ("spectrum", Class::Silent),
];

const SOURCE: &[&str] = &[
    "bus1",
    "basekv",
    "pu",
    "angle",
    "frequency",
    "phases",
    "mvasc3",
    "mvasc1",
    "x1r1",
    "x0r0",
    "isc3",
    "isc1",
    "r1",
    "x1",
    "r0",
    "x0",
    "basefreq",
    "enabled",
];
const LINE: &[&str] = &[
    "bus1", "bus2", "linecode", "length", "phases", "r1", "x1", "r0", "x0", "c1", "c0", "b1", "b0",
    "rmatrix", "xmatrix", "cmatrix", "switch", "units", "normamps", "basefreq", "enabled",
];
const LINE_FREE: &[&str] = &[
    "emergamps",
    "faultrate",
    "pctperm",
    "repair",
    "rg",
    "xg",
    "rho",
    "linetype",
    "ratings",
    "seasons",
];
const LINECODE: &[&str] = &[
    "nphases", "r1", "x1", "r0", "x0", "c1", "c0", "b1", "b0", "units", "rmatrix", "xmatrix",
    "cmatrix", "basefreq", "normamps",
];
const LINECODE_FREE: &[&str] = &[
    "emergamps",
    "faultrate",
    "pctperm",
    "repair",
    "rg",
    "xg",
    "rho",
    "linetype",
    "ratings",
    "seasons",
    "neutral",
];
const LOAD: &[&str] = &[
    "phases", "bus1", "kv", "kw", "pf", "model", "conn", "kvar", "kva", "zipv", "cvrwatts",
    "cvrvars", "status", "enabled",
];
const LOAD_FREE: &[&str] = &[
    "vminpu",
    "vmaxpu",
    "vminnorm",
    "vminemerg",
    "vlowpu",
    "daily",
    "yearly",
    "duty",
    "growth",
    "class",
    "numcust",
    "spectrum",
    "basefreq",
    "%mean",
    "%stddev",
    "cvrcurve",
    "%seriesrl",
    "relweight",
    "puxharm",
    "xrharm",
];
const TRANSFORMER: &[&str] = &[
    "phases",
    "windings",
    "wdg",
    "bus",
    "conn",
    "kv",
    "kva",
    "tap",
    "%r",
    "rneut",
    "xneut",
    "buses",
    "conns",
    "kvs",
    "kvas",
    "taps",
    "xhl",
    "%loadloss",
    "%noloadloss",
    "%imag",
    "%rs",
    "maxtap",
    "mintap",
    "numtaps",
    "leadlag",
    "enabled",
];
const TRANSFORMER_FREE: &[&str] = &[
    "bank",
    "sub",
    "subname",
    "normhkva",
    "emerghkva",
    "ppm",
    "ppm_antifloat",
    "thermal",
    "n",
    "m",
    "flrise",
    "hsrise",
    "basefreq",
    "faultrate",
    "pctperm",
    "repair",
    "core",
    "wdgcurrents",
    "seasons",
    "ratings",
];
const CAPACITOR: &[&str] =
    &["bus1", "phases", "kvar", "kv", "conn", "numsteps", "states", "enabled"];
const CAPACITOR_FREE: &[&str] =
    &["basefreq", "normamps", "emergamps", "faultrate", "pctperm", "repair"];
const REGCONTROL: &[&str] = &["transformer", "winding", "tapnum", "tapwinding", "enabled"];
const REGCONTROL_FREE: &[&str] = &[
    "vreg",
    "band",
    "ptratio",
    "ctprim",
    "r",
    "x",
    "bus",
    "delay",
    "reversible",
    "revvreg",
    "revband",
    "revr",
    "revx",
    "tapdelay",
    "debugtrace",
    "maxtapchange",
    "inversetime",
    "vlimit",
    "ptphase",
    "revthreshold",
    "revdelay",
    "revneutral",
    "eventlog",
    "remoteptratio",
    "ldc_z",
    "rev_z",
    "cogen",
    "reset",
    "basefreq",
];

impl Class {
    pub(crate) fn of(name: &str) -> Option<Class> {
        let found = CLASSES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|&(_, class)| class)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Source => "Circuit",
            Class::Line => "Line",
            Class::LineCode => "LineCode",
            Class::Load => "Load",
            Class::Transformer => "Transformer",
            Class::Capacitor => "Capacitor",
            Class::RegControl => "RegControl",
            Class::Silent => "Monitor",
        }
    }

    /// Whether a property is used; nothing when it is not known.
    pub(crate) fn uses(self, property: &str) -> Option<bool> {
        let (used, free): (&[&str], &[&str]) = match self {
            Class::Source => (SOURCE, &["spectrum"]),
            Class::Line => (LINE, LINE_FREE),
            Class::LineCode => (LINECODE, LINECODE_FREE),
            Class::Load => (LOAD, LOAD_FREE),
            Class::Transformer => (TRANSFORMER, TRANSFORMER_FREE),
            Class::Capacitor => (CAPACITOR, CAPACITOR_FREE),
            Class::RegControl => (REGCONTROL, REGCONTROL_FREE),
            Class::Silent => return Some(false),
        };
        if used.contains(&property) {
            return Some(true);
        }
        free.contains(&property).then_some(false)
    }
}
