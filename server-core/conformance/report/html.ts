import { createHash } from 'node:crypto'
import { escaped } from '../../protocol/markup.ts'
import { plural } from '../../protocol/plural.ts'
import { checkGroups, type RowKind } from './check-groups.ts'
import { checkRow } from './html-check.ts'
import { history } from './html-history.ts'
import { matrix } from './html-matrix.ts'
import { SCRIPT } from './html-script.ts'
import { STYLE } from './html-style.ts'
import { commandLine, count, duration, icon, iconSheet } from './html-text.ts'
import type { ConformanceReport } from './report-schema.ts'

/** The report as one HTML file that works offline, without JavaScript and on paper. */
export function html(report: ConformanceReport): string {
  const headline = headlineOf(report)
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'">
<title>${escaped(`${report.subject.name}: ${headline}`)}</title>
<style>${STYLE}</style>
</head>
<body>
${iconSheet()}
<div class="report">
<header class="top"><span class="brandm">${icon('brand')}<span>Patchbay</span><span class="t3">conformance report</span></span><button class="btn js-only" id="theme" aria-label="Switch theme">${icon('theme')}</button></header>
<main>
${summary(report, headline)}
${matrix(report)}
${checkList(report)}
</main>
${footer(report)}
</div>
<script>${SCRIPT}</script>
</body>
</html>
`
}

function headlineOf({ verdict, summary: counts, baseline, subject }: ConformanceReport): string {
  if (verdict === 'inconclusive') return `The ${subject.side} could not be examined`
  const failed = (counts['failed'] ?? 0) + (counts['broken'] ?? 0) + (counts['flaky'] ?? 0)
  if (baseline !== undefined)
    return baseline.new === 0 ? 'No new failure' : plural(baseline.new, 'new failure')
  return failed === 0 ? 'No failure' : plural(failed, 'failure')
}

function summary(report: ConformanceReport, headline: string): string {
  const { subject, verdict, checks, cells, startedAt, durationMs, command, reason, suite } = report
  const isGood = verdict === 'passed'
  const revisions = new Set(cells.map(({ revision }) => revision)).size
  const transports = new Set(cells.map(({ transport }) => transport)).size
  const name = [subject.name, subject.version ?? ''].join(' ').trim()
  const extent =
    `${plural(checks.length, 'check')} over ${plural(revisions, 'revision')} and ` +
    `${plural(transports, 'transport')} in ${duration(durationMs)}`
  const when = startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
  const score = suite.score === undefined ? '' : ` Score of the suite ${suite.name}: ${suite.score} of 100.`
  return `<section class="sumry" aria-labelledby="rt"><div class="lead"><h1 id="rt"><span class="${isGood ? 'is-ok' : 'is-error'}">${icon(isGood ? 'pass' : 'fail')}</span>${escaped(headline)}</h1><p class="t2">${escaped(`${name}, ${extent}, ${when}.${score}`)}</p>${reason === undefined ? '' : `<p class="is-error">${escaped(reason)}</p>`}${commandLine(command)}</div>
<div class="figs"><dl class="nums">${numbers(report)}</dl>${history(report)}</div></section>`
}

function numbers({ summary: counts, baseline }: ConformanceReport): string {
  const of = (verdict: string) => counts[verdict] ?? 0
  const items: readonly (readonly [string, number, string])[] = [
    ...(baseline === undefined
      ? ([['failed', of('failed'), 'is-error']] as const)
      : ([
          ['new', baseline.new, 'is-error'],
          ['known', baseline.known, ''],
          ['fixed', baseline.fixed, ''],
        ] as const)),
    ['warnings', of('warned'), 'is-warn'],
    ['passed', of('passed'), ''],
    ['open', of('inconclusive'), ''],
    ['skipped', of('notApplicable'), 't3'],
    ...(of('broken') + of('flaky') > 0
      ? ([['broken, flaky', of('broken') + of('flaky'), 'is-error']] as const)
      : []),
  ]
  return items
    .map(
      ([label, value, ink]) =>
        `<div><dt>${label}</dt><dd class="${value === 0 ? '' : ink}">${count(value)}</dd></div>`,
    )
    .join('')
}

const FILTERS: readonly {
  readonly id: string
  readonly label: string
  readonly kinds: readonly RowKind[]
}[] = [
  { id: 'failed', label: 'failed', kinds: ['new', 'failed', 'known', 'broken'] },
  { id: 'new', label: 'new', kinds: ['new'] },
  { id: 'warn', label: 'warnings', kinds: ['warned'] },
  { id: 'open', label: 'open', kinds: ['inconclusive'] },
  { id: 'skip', label: 'skipped', kinds: ['skipped'] },
]

function checkList(report: ConformanceReport): string {
  const groups = checkGroups(report.checks)
  const filters = FILTERS.filter(({ id }) => id !== 'new' || report.baseline !== undefined).map(
    ({ id, label, kinds }) => {
      const shown = groups.filter(({ kind }) => kinds.includes(kind)).length
      return `<label><input type="radio" name="f" id="f-${id}"><span>${label} ${count(shown)}</span></label>`
    },
  )
  return `<section class="checklist" aria-labelledby="cl"><div class="filters"><h2 id="cl">Checks</h2><fieldset class="fseg"><legend class="vh">Show</legend>${filters.join('')}<label><input type="radio" name="f" id="f-all" checked><span>all ${count(groups.length)}</span></label></fieldset><input class="field js-only" id="q" placeholder="Text, check, clause, revision" aria-label="Search checks"></div>
${groups.map((group) => checkRow(group, report)).join('\n')}</section>`
}

function footer({ versions, seed, suite, baseline }: ConformanceReport): string {
  const facts = [
    `Patchbay ${versions.patchbay}, Node ${versions.node}, ${versions.platform}`,
    `suite ${suite.name}, seed ${seed}`,
    ...(baseline === undefined ? [] : [`baseline ${baseline.file}`]),
    'Offline: this file loads nothing from the network. Secrets are masked.',
  ]
  return `<footer class="small t3">${facts.map((fact) => `<span>${escaped(fact)}</span>`).join('')}</footer>`
}
