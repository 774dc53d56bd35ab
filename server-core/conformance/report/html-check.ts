import { escaped } from '../../protocol/markup.ts'
import { cellsLabel, type CheckGroup, type RowKind } from './check-groups.ts'
import { commandLine, count, duration, icon, type Shape } from './html-text.ts'
import type { ConformanceReport, ReportedCheck, ReportedFrame } from './report-schema.ts'
import { cellLabel, timesLabel } from './check-name.ts'

const LOOKS: Readonly<
  Record<RowKind, { readonly word: string; readonly shape: Shape; readonly ink: string }>
> = {
  new: { word: 'new', shape: 'fail', ink: 'is-error' },
  failed: { word: 'failed', shape: 'fail', ink: 'is-error' },
  broken: { word: 'broken', shape: 'fail', ink: 'is-error' },
  known: { word: 'known', shape: 'fail', ink: 'is-error' },
  warned: { word: 'warning', shape: 'warn', ink: 'is-warn' },
  inconclusive: { word: 'open', shape: 'off', ink: 't2' },
  skipped: { word: 'skipped', shape: 'off', ink: 't3' },
  passed: { word: 'passed', shape: 'pass', ink: 't3' },
}

/** One row of the report, which opens to findings, clause, command and frames. */
export function checkRow(group: CheckGroup, report: ConformanceReport): string {
  const { kind, first, all } = group
  const { word, shape, ink } = LOOKS[kind]
  const isFirst = kind === 'new' || kind === 'failed' || kind === 'broken'
  const time = Math.max(...all.map(({ durationMs }) => durationMs))
  const label = first.verdict === 'flaky' ? 'flaky' : word
  return `<details class="chk is-${kind}"${isFirst ? ' open' : ''}><summary><span class="tw">${icon('open')}</span><span class="${ink}">${icon(shape)}</span><span class="v">${label}</span><span class="t clip">${escaped(first.title)}</span><span class="no clip mono t3">${escaped(first.id)}</span><span class="wh clip">${escaped(cellsLabel(all))}</span><span class="num">${kind === 'skipped' ? '–' : duration(time)}</span></summary>
<div class="in">${body(group, report)}</div></details>`
}

function body({ first, all }: CheckGroup, report: ConformanceReport): string {
  const frames = (first.frames ?? []).map((frame) => frameOf(frame, first))
  const facts = `<div>${findings(first)}${clauses(first, report)}</div>`
  const again = `${first.repeat === undefined ? '' : `<h3>Run it again</h3>${commandLine(first.repeat)}`}${pageOf(first)}`
  const where =
    all.length === 1 ? '' : `<h3>Where</h3><p>${all.map((check) => escaped(cellLabel(check))).join('; ')}</p>`
  if (frames.length === 0) return `<div class="two">${facts}<div>${again}${where}</div></div>`
  return `<div class="two"><div>${findings(first)}${clauses(first, report)}${again}${where}</div><div class="frames">${frames.join('')}</div></div>`
}

/** A check without frames is described by its page alone. */
function pageOf({ page, id }: ReportedCheck): string {
  if (page === undefined) return ''
  return `<p class="small page"><a href="${escaped(page)}">About the check ${escaped(id)}</a></p>`
}

function findings({ findings: all, reason, verdict, statements }: ReportedCheck): string {
  const pairs = all.map(
    ({ expected, actual, member, times }) =>
      `<dt>expected</dt><dd class="is-ok">${escaped(expected)}</dd><dt>got</dt><dd class="is-error">${escaped(`${actual}${timesLabel(times)}`)}</dd>${member === undefined ? '' : `<dt>at</dt><dd>${escaped(member)}</dd>`}`,
  )
  if (reason !== undefined) pairs.push(`<dt>why</dt><dd>${escaped(reason)}</dd>`)
  if (verdict === 'passed') pairs.push(`<dt>proves</dt><dd>${escaped(statements.join(', '))}</dd>`)
  return `<dl class="cmp">${pairs.join('')}</dl>`
}

function clauses({ findings: all }: ReportedCheck, report: ConformanceReport): string {
  const ids = [...new Set(all.map(({ statement }) => statement))]
  const named = ids.flatMap((id) => {
    const clause = report.clauses[id]
    return clause === undefined ? [] : [{ id, ...clause }]
  })
  if (named.length === 0) return ''
  const texts = named.map(
    ({ id, level, text, url, section }) =>
      `<p class="para"><b>${level}</b> ${escaped(text)}</p><p class="small t3">In our words. Clause: <a href="${escaped(url)}">${escaped(section)}</a> <span class="mono">${escaped(id)}</span></p>`,
  )
  return `<h3>What the clause asks</h3>${texts.join('')}`
}

function frameOf(frame: ReportedFrame, check: ReportedCheck): string {
  const { index, at, from, kind, head, text, bytes } = frame
  const isClient = from === 'client'
  const way = isClient ? 'Client to server' : 'Server to client'
  const what = kind === 'message' ? way : `${way}, ${kind}`
  const time = at.slice(11, 23)
  const bad = check.findings.find(({ frames }) => frames[0] === index)
  const member = bad?.member?.split('/').at(-1)
  const isSure = member !== undefined && text.split(`"${member}":`).length === 2
  return `<section class="frame"><div class="frame-head"><span class="${isClient ? 'out' : 'back'}">${icon(isClient ? 'request' : 'response')}</span><span class="clip">${what}${head === undefined ? '' : ` · ${escaped(head)}`}</span><span class="end"><span>frame ${count(index)}</span><span>${time}</span><span>${count(bytes)} B</span></span></div>${text === '' ? '' : `<div class="code">${lines(text, isSure ? member : undefined)}</div>`}</section>`
}

/** The lines of a frame; the one with the offending member is marked, unless several have its name. */
function lines(text: string, member: string | undefined): string {
  return text
    .split('\n')
    .map((line) => {
      const isBad = member !== undefined && line.trimStart().startsWith(`"${member}":`)
      return `<span class="l${isBad ? ' is-bad' : ''}">${colored(line)}</span>`
    })
    .join('')
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(-?\d[\d.eE+-]*|true|false|null)\b/g

/** JSON with the colors of the window. */
function colored(line: string): string {
  let shown = ''
  let end = 0
  for (const match of line.matchAll(TOKEN)) {
    const [whole, text, colon, literal] = match
    shown += escaped(line.slice(end, match.index))
    if (text === undefined) shown += `<span class="j-n">${escaped(literal ?? '')}</span>`
    else shown += `<span class="${colon === undefined ? 'j-s' : 'j-k'}">${escaped(text)}</span>${colon ?? ''}`
    end = match.index + whole.length
  }
  return shown + escaped(line.slice(end))
}
