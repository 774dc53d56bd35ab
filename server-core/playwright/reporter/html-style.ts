/** The style of the HTML report, on screen in both themes and on paper. */
export const STYLE = `
:root { color-scheme: light dark; --fg: #1d2129; --dim: #5b6472; --bg: #fff; --panel: #f5f6f8; --line: #d9dde3;
  --passed: #1a7f4b; --failed: #c22f3a; --flaky: #96650a; --skipped: #5b6472 }
@media (prefers-color-scheme: dark) { :root { --fg: #e4e7ec; --dim: #9aa4b2; --bg: #15181d; --panel: #1e2228;
  --line: #343a44; --passed: #4cc38a; --failed: #ff7b81; --flaky: #e3b341; --skipped: #9aa4b2 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.5rem; color: var(--fg); background: var(--bg);
  font: 14px/1.5 system-ui, sans-serif }
h1 { font-size: 1.6rem; margin: 0; display: flex; align-items: center; gap: .6rem }
h2 { font-size: 1.05rem; margin: 2rem 0 .6rem }
.mark { width: .9rem; height: .9rem; border-radius: 50%; background: currentColor }
.facts, .where, .groups, .repeat { color: var(--dim) }
.facts { margin: .3rem 0 1rem }
.counts { display: flex; flex-wrap: wrap; gap: 1rem; margin: 0 }
.counts div { border: 1px solid var(--line); border-radius: 6px; padding: .5rem 1rem; min-width: 6rem }
.counts dt { color: var(--dim) }
.counts dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums }
.passed { color: var(--passed) } .failed { color: var(--failed) } .flaky { color: var(--flaky) } .skipped { color: var(--skipped) }
details.test { border: 1px solid var(--line); border-left: 3px solid currentColor; border-radius: 6px; margin: .6rem 0;
  padding: .6rem .9rem }
details.test > * { color: var(--fg) }
details.test .where, details.test .groups, details.test .repeat { color: var(--dim) }
summary { cursor: pointer }
pre { background: var(--panel); border-radius: 6px; padding: .8rem; margin: .6rem 0; overflow-x: auto;
  font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
th { font-weight: 600; color: var(--dim) }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
@media print { body { padding: 0; max-width: none } details.test { break-inside: avoid } pre { max-height: none } }
`
