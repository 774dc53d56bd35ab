/** The colors of the window's theme. */
const COLORS = `
:root { color-scheme: light dark; --base: light-dark(#eef0f3, #14181b); --panel: light-dark(#f6f7f9, #191d21);
  --data: light-dark(#fdfdfe, #0f1115); --hover: light-dark(#e8ebee, #22272c); --active: light-dark(#dde1e5, #2c3138);
  --line-faint: light-dark(#e2e4e6, #212529); --line: light-dark(#d2d5d9, #2a2f34);
  --line-strong: light-dark(#b5b9be, #40464c); --line-control: light-dark(#81878d, #697179);
  --text-1: light-dark(#1c2126, #e0e3e7); --text-2: light-dark(#464c53, #aab0b7); --text-3: light-dark(#585e65, #959ca4);
  --accent: light-dark(#00639a, #6bb9ea); --ok: light-dark(#1b6843, #70c89e); --warn: light-dark(#7e5312, #e1b767);
  --error: light-dark(#aa2a27, #ed807b); --error-soft: light-dark(#fbe7e6, #3a1e1d);
  --error-fill: light-dark(#aa2a27, #bc4945); --request: light-dark(#00639a, #6bb9ea);
  --response: light-dark(#046850, #70c6a9); --key: light-dark(#2e4a67, #a6c1d9);
  --string: light-dark(#1c5e3d, #8dcba9); --number: light-dark(#8c3d12, #e4b383);
  --ui: -apple-system, 'Segoe UI', Cantarell, Ubuntu, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace }
:root[data-theme='light'] { color-scheme: light } :root[data-theme='dark'] { color-scheme: dark }
`

const LAYOUT = `
*, ::before, ::after { box-sizing: border-box } html:not(.js) .js-only { display: none }
body { margin: 0; background: var(--base); color: var(--text-1); font: 13px/18px var(--ui) }
h1, h2, h3, p, dl, dd, table, fieldset { margin: 0; padding: 0; border: 0 } a { color: var(--accent) }
table { border-collapse: collapse; width: 100% } th { text-align: left; font-weight: 400 }
button, input { font: inherit; color: inherit } .sheet { position: absolute }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
.ic { width: 16px; height: 16px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.25; stroke-linecap: round;
  stroke-linejoin: round; display: block }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.clip { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0 }
.small { font-size: 12px } .mono { font-family: var(--mono) } .t2 { color: var(--text-2) } .t3 { color: var(--text-3) }
.is-ok { color: var(--ok) } .is-warn { color: var(--warn) } .is-error { color: var(--error) }
.report { max-width: 1240px; margin: 0 auto; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--panel); border-inline: 1px solid var(--line) }
.report main { flex: 1 }
.top { display: flex; align-items: center; height: 36px; padding: 0 8px 0 16px; border-bottom: 1px solid var(--line);
  background: var(--base) }
.btn { border: 0; background: none; width: 24px; height: 20px; padding: 0; border-radius: 3px; flex: none;
  display: grid; place-items: center }
.btn:hover { background: var(--hover) } .top .btn { margin-left: auto }
.brandm { display: flex; gap: 6px; align-items: center; font-weight: 600 } .brandm .ic { color: var(--accent) }
.brandm .t3 { font-weight: 400; font-size: 12px; margin-left: 6px }
.sumry { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 24px; padding: 16px 16px 12px; align-items: end;
  border-bottom: 1px solid var(--line) }
.sumry h1 { font: 600 26px/32px var(--ui); display: flex; align-items: center; gap: 8px }
.sumry h1 .ic { width: 22px; height: 22px } .lead p { margin: 4px 0 8px; overflow-wrap: anywhere }
.nums { display: flex; gap: 16px } .nums dt { font-size: 11px; color: var(--text-2) }
.nums dd { font: 600 20px/26px var(--mono) }
.figs { display: grid; gap: 8px; justify-items: end } .runs { display: flex; gap: 8px; align-items: end; margin: 0 }
.runs ol { display: flex; gap: 3px; align-items: end; height: 32px; list-style: none; padding: 0; margin: 0 }
.runs li { width: 8px; background: var(--ok); print-color-adjust: exact; -webkit-print-color-adjust: exact }
.runs .bad { background: var(--error) }
.cmd { display: flex; align-items: center; background: var(--data); border: 1px solid var(--line); min-height: 26px;
  padding: 2px 2px 2px 8px; gap: 8px }
.cmd code { flex: 1; min-width: 0; overflow-wrap: anywhere; font: 12px/18px var(--mono) }
.cmd code::before { content: '$ '; color: var(--text-3) }
.report > footer { display: flex; gap: 16px; flex-wrap: wrap; padding: 8px 16px; border-top: 1px solid var(--line) }
.report > footer span:last-child { margin-left: auto }
`

const MATRIX = `
.matrix { table-layout: fixed }
.matrix thead th { height: 28px; font-size: 12px; color: var(--text-2); padding: 0 12px; white-space: nowrap;
  border-bottom: 1px solid var(--line) }
.matrix th:first-child { width: 124px; padding-left: 16px }
.matrix th[scope='row'] { font: 12px/16px var(--mono); border-bottom: 1px solid var(--line-faint) }
.matrix th .t3 { display: block; font: 11px/14px var(--ui) }
.matrix td { border-bottom: 1px solid var(--line-faint); border-left: 1px solid var(--line-faint); padding: 0; height: 44px }
.cell { height: 43px; padding: 4px 12px 0; overflow: hidden }
.cell .sum { display: flex; gap: 6px; font: 11px/14px var(--mono); color: var(--text-2); white-space: nowrap }
.cell .sum b { font-weight: 600; color: var(--error) } .cell .sum .ic { width: 12px; height: 12px }
.cell .end { margin-left: auto; display: flex; gap: 6px } .cell .end > * { display: flex; align-items: center; gap: 1px }
.cell.is-na { color: var(--text-3); font-size: 11px; line-height: 14px; padding-top: 8px; display: -webkit-box;
  -webkit-line-clamp: 2; -webkit-box-orient: vertical }
.strip { display: block; width: 100%; height: 18px; margin-top: 4px; shape-rendering: crispEdges }
.strip .p { fill: var(--ok); opacity: .6 } .strip .f { fill: var(--error) } .strip .w { fill: var(--warn) }
.strip .s { fill: var(--line-control) }
.newm { font: 600 11px/14px var(--ui); color: #fff; background: var(--error-fill); padding: 0 4px; border-radius: 2px }
`

const CHECKS = `
.filters { display: flex; align-items: center; gap: 12px; height: 40px; padding: 0 16px; border-block: 1px solid var(--line);
  background: var(--base); position: sticky; top: 0; z-index: 2; margin-top: -1px }
.filters h2 { font-size: 12px; font-weight: 600 }
.field { width: 270px; min-width: 0; height: 24px; padding: 0 8px; background: var(--data); border: 1px solid var(--line-strong);
  border-bottom-color: var(--line-control); border-radius: 3px }
.fseg { display: inline-flex; height: 24px; border: 1px solid var(--line-strong); border-radius: 3px;
  background: var(--data); flex: none }
.fseg label { position: relative; display: flex } .fseg label + label { border-left: 1px solid var(--line) }
.fseg input { position: absolute; inset: 0; opacity: 0; width: 100%; height: 100%; margin: 0 }
.fseg span { padding: 0 8px; font-size: 12px; line-height: 22px; color: var(--text-2); white-space: nowrap }
.fseg input:checked + span { background: var(--active); color: var(--text-1); box-shadow: inset 0 -2px 0 var(--accent) }
.fseg input:focus-visible + span { outline: 2px solid var(--accent) }
.checklist:has(#f-failed:checked) .chk:not(.is-new, .is-failed, .is-known, .is-broken),
.checklist:has(#f-new:checked) .chk:not(.is-new), .checklist:has(#f-warn:checked) .chk:not(.is-warned),
.checklist:has(#f-open:checked) .chk:not(.is-inconclusive),
.checklist:has(#f-skip:checked) .chk:not(.is-skipped) { display: none }
.chk { border-bottom: 1px solid var(--line-faint); content-visibility: auto; contain-intrinsic-size: auto 30px }
.chk summary { display: grid; grid-template-columns: 16px 16px 58px minmax(0, 1fr) 220px 180px 64px; gap: 8px;
  align-items: center; height: 30px; padding: 0 16px 0 12px; list-style: none; cursor: default }
.chk summary::-webkit-details-marker { display: none } .chk summary:hover { background: var(--hover) }
.chk summary:focus-visible { outline-offset: -2px } .chk[open] .tw .ic { transform: rotate(90deg) }
.chk .tw { color: var(--text-3) } .chk .v { font-size: 12px; color: var(--text-2) } .chk .no { font-size: 11px }
.chk:is(.is-new, .is-failed, .is-broken) .v { color: #fff; background: var(--error-fill); border-radius: 2px; padding: 0 5px;
  justify-self: start; font-weight: 600; line-height: 16px }
.chk:is(.is-new, .is-failed, .is-broken) > summary { box-shadow: inset 3px 0 0 var(--error) }
.chk .wh { color: var(--text-3); font-size: 12px; text-align: right }
.chk .num { font: 12px/1 var(--mono); color: var(--text-2); text-align: right }
.chk[open] > summary .t { font-weight: 600 } .chk .in { border-top: 1px solid var(--line-faint) }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) }
.two > * { padding: 4px 16px 12px 52px; min-width: 0 } .two > * + :not(.frames) { padding-left: 16px }
.two > .frames { padding: 0; border-left: 1px solid var(--line-faint) }
.two h3 { font-size: 12px; color: var(--text-2); font-weight: 600; margin: 12px 0 4px }
.two .page { margin-top: 8px } .para { border-left: 2px solid var(--line-strong); padding-left: 12px; margin-bottom: 4px; overflow-wrap: anywhere }
.cmp { display: grid; grid-template-columns: 72px minmax(0, 1fr); gap: 2px 8px; margin-top: 8px }
.cmp dt { color: var(--text-3) } .cmp dd { font: 12px/18px var(--mono); overflow-wrap: anywhere }
.frame { border-bottom: 1px solid var(--line) } .frame:last-child { border-bottom: 0 }
.frame-head { display: flex; align-items: center; gap: 6px; height: 26px; padding: 0 8px; font-size: 12px; color: var(--text-2) }
.frame-head .end { margin-left: auto; display: flex; gap: 8px; color: var(--text-3); font: 11px/1 var(--mono); flex: none }
.out { color: var(--request) } .back { color: var(--response) }
.code { font: 12px/18px var(--mono); white-space: pre; tab-size: 2; background: var(--data); padding: 6px 0; overflow: auto;
  border-top: 1px solid var(--line-faint); max-height: 420px }
.code .l { display: block; padding: 0 8px 0 12px; min-height: 18px } .code .l.is-bad { background: var(--error-soft);
  box-shadow: inset 3px 0 0 var(--error) }
.j-k { color: var(--key) } .j-s { color: var(--string) } .j-n { color: var(--number) }
`

const MEDIA = `
@media (max-width: 1199px) { .sumry, .two { grid-template-columns: minmax(0, 1fr) }
  .nums { justify-content: space-between } .two > * + :not(.frames) { padding: 0 16px 12px 52px }
  .two > .frames { border-left: 0; border-top: 1px solid var(--line-faint) }
  .chk summary { grid-template-columns: 16px 16px 58px minmax(0, 1fr) 150px 160px 56px }
  .matrix th:first-child { width: 108px } .cell { padding-inline: 6px } }
@media (max-width: 699px) { .chk summary { grid-template-columns: 16px 16px 58px minmax(0, 1fr) 56px }
  .chk :is(.no, .wh) { display: none } .filters { flex-wrap: wrap; height: auto; padding-block: 6px }
  .two > *, .two > * + :not(.frames) { padding-left: 16px } .nums { flex-wrap: wrap } }
@media print { :root { color-scheme: light !important } body { background: #fff }
  .report { max-width: none; border: 0; background: #fff; display: block } .code { white-space: pre-wrap; max-height: none; overflow-wrap: anywhere }
  .filters, .btn, .chk:is(.is-passed, .is-skipped):not([open]) { display: none !important }
  .chk { content-visibility: visible } .frame, .sumry, .matrix tr, .chk summary { break-inside: avoid }
  .strip, .newm, .is-bad, .v { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  .chk summary { grid-template-columns: 16px 16px 58px minmax(0, 1fr) 160px 150px 56px } }
`

/** The style of the report, on screen in both themes and on paper. */
export const STYLE = [COLORS, LAYOUT, MATRIX, CHECKS, MEDIA].join('')
