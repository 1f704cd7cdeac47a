//! The style sheet of a page, beside that of its pictures.
//!
//! Selectors name elements, or classes that no picture has. On paper nothing scrolls, figures
//! and rows are not torn, and colours are those of the light theme.

pub(super) const STYLE: &str = "\
:root{color-scheme:light dark}
body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#1f2328;background:#ffffff}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .5rem}h2{font-size:1.2rem;margin:2.5rem 0 .5rem}
p{margin:.5rem 0}a{color:#0969da}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:1rem 0}
dt{color:#57606a}dd{margin:0;overflow-wrap:anywhere}code{font:.875rem/1.5 ui-monospace,monospace}
figure{margin:2rem 0}figure svg{display:block;max-width:100%;height:auto;margin-top:.25rem}
figcaption strong{display:block;font-size:1.05rem}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.8125rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;font-size:1rem;padding:.25rem 0}
th,td{padding:.15rem .45rem;text-align:left;white-space:nowrap;font-weight:400}
th:first-child,td:first-child{padding-left:0}
thead th{color:#57606a;border-bottom:1px solid #57606a;vertical-align:bottom;white-space:normal}thead span{white-space:nowrap}
.number{text-align:right}tr.begins>*{border-top:1px solid #d8dee4}
@media (prefers-color-scheme:dark){
body{color:#e6edf3;background:#0d1117}a{color:#58a6ff}dt,thead th{color:#9ea7b3}
thead th{border-color:#9ea7b3}tr.begins>*{border-color:#30363d}
}
@media print{
body{max-width:none;margin:0;padding:0;font-size:10pt}a{color:inherit;text-decoration:none}
figure,tr{break-inside:avoid}h2,caption{break-after:avoid}thead{display:table-header-group}
.scroll{overflow:visible}table{font-size:8pt}th,td{padding:.1rem .4rem}
}
";
