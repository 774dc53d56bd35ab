import { WIRE_TRANSPORTS } from '../../protocol/transport-kind.ts'
import { escaped } from '../../protocol/markup.ts'
import { kindOf, type RowKind } from './check-groups.ts'
import { transportLabel } from './check-name.ts'
import { icon } from './html-text.ts'
import type { ConformanceReport, ReportedCheck } from './report-schema.ts'

/** The matrix of revisions by transports, with a strip of checks in each cell. */
export function matrix(report: ConformanceReport): string {
  const { cells, unsupported } = report
  const all = [...cells, ...unsupported]
  const transports = WIRE_TRANSPORTS.filter((name) => all.some(({ transport }) => transport === name))
  const revisions = [...new Set(all.map(({ revision }) => revision))].toSorted()
  if (revisions.length === 0) return ''
  const head = transports.map((name) => `<th scope="col">${transportLabel(name)}</th>`).join('')
  const rows = revisions.map((revision) => {
    const columns = transports.map((transport) => {
      const isHere = (each: { revision: string; transport: string }) =>
        each.revision === revision && each.transport === transport
      if (cells.some(isHere)) return cell(report.checks.filter(isHere))
      const reason = unsupported.find(isHere)?.reason ?? 'not in this revision'
      return `<td><div class="cell is-na" title="${escaped(reason)}">${escaped(reason)}</div></td>`
    })
    return `<tr><th scope="row">${revision}<span class="t3">${revision < '2026-07-28' ? 'legacy' : 'modern'}</span></th>${columns.join('')}</tr>`
  })
  return `<section aria-labelledby="mx"><h2 id="mx" class="vh">Revisions by transports</h2><table class="matrix"><thead><tr><th scope="col"><span class="vh">revision</span></th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></section>`
}

const CLASSES: Readonly<Record<RowKind, 'p' | 'f' | 'w' | 's'>> = {
  new: 'f',
  failed: 'f',
  broken: 'f',
  known: 'f',
  warned: 'w',
  inconclusive: 's',
  skipped: 's',
  passed: 'p',
}

function cell(all: readonly ReportedCheck[]): string {
  const checks = all.filter(({ verdict }) => verdict !== 'notApplicable')
  const of = (name: 'p' | 'f' | 'w') => checks.filter((check) => CLASSES[kindOf(check)] === name).length
  const fresh = checks.filter(({ baseline }) => baseline === 'new').length
  const end = [
    of('f') === 0 ? '' : `<b>${icon('fail')}${of('f')}<span class="vh"> failed</span></b>`,
    fresh === 0 ? '' : `<span class="newm">${fresh} new</span>`,
    of('w') === 0
      ? ''
      : `<span class="is-warn">${icon('warn')}${of('w')}<span class="vh"> warnings</span></span>`,
  ]
  return `<td><div class="cell"><span class="sum"><span>${of('p')}/${checks.length}<span class="vh"> passed</span></span><span class="end">${end.join('')}</span></span>${strip(checks)}</div></td>`
}

/** Of 1,000: how wide a notch is, however many checks a cell has. */
const NOTCH = 6
const WIDTH = 1_000

/** A line of passed checks; a failure is a tall notch, a warning a short one, an open one a gap. */
function strip(checks: readonly ReportedCheck[]): string {
  const step = WIDTH / Math.max(1, checks.length)
  const lines = checks.map((check, at) => {
    const kind = CLASSES[kindOf(check)]
    const x = (at * step).toFixed(1)
    return kind === 's'
      ? `<path class="s" d="M${x} 8.5h${step.toFixed(1)}v1h-${step.toFixed(1)}z"/>`
      : `<path class="p" d="M${x} 7h${step.toFixed(1)}v4h-${step.toFixed(1)}z"/>`
  })
  const notches = checks.flatMap((check, at) => {
    const kind = CLASSES[kindOf(check)]
    const x = ((at + 0.5) * step - NOTCH / 2).toFixed(1)
    if (kind === 'f') return [`<path class="f" d="M${x} 0h${NOTCH}v18h-${NOTCH}z"/>`]
    return kind === 'w' ? [`<path class="w" d="M${x} 3h${NOTCH}v12h-${NOTCH}z"/>`] : []
  })
  return `<svg class="strip" viewBox="0 0 ${WIDTH} 18" preserveAspectRatio="none" aria-hidden="true">${lines.join('')}${notches.join('')}</svg>`
}
