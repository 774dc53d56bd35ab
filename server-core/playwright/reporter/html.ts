import { escaped } from '../../protocol/markup.ts'
import type { RunReport, TestReport } from './report-schema.ts'
import { STYLE } from './html-style.ts'

const WORDS: Readonly<Record<TestReport['outcome'], string>> = {
  passed: 'Passed',
  failed: 'Failed',
  flaky: 'Flaky',
  skipped: 'Skipped',
}
const ORDER: Readonly<Record<TestReport['outcome'], number>> = { failed: 0, flaky: 1, passed: 2, skipped: 3 }

/** The report as one HTML file that needs no network and no script. */
export function html(report: RunReport): string {
  const sorted = report.tests.toSorted((one, other) => ORDER[one.outcome] - ORDER[other.outcome])
  const open = sorted.filter(({ outcome }) => outcome === 'failed' || outcome === 'flaky')
  const rest = sorted.filter((test) => !open.includes(test))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>MCP tests: ${report.summary.passed} of ${report.summary.tests} passed</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1><span class="mark ${report.status === 'passed' ? 'passed' : 'failed'}" aria-hidden="true"></span>${headline(report)}</h1>
<p class="facts">${escaped(facts(report))}</p>
${counts(report)}
</header>
<main>
${report.errors.map((error) => `<section class="error"><h2>Error outside of tests</h2><pre>${escaped(error)}</pre></section>`).join('\n')}
${matrix(report)}
${open.length === 0 ? '' : `<section><h2>Failures</h2>\n${open.map(failure).join('\n')}</section>`}
${rest.length === 0 ? '' : `<section><h2>Other tests</h2>\n${table(rest)}</section>`}
</main>
</body>
</html>
`
}

function headline({ status, summary: { tests, passed, failed } }: RunReport): string {
  if (status === 'interrupted') return 'Interrupted'
  if (status === 'timedout') return 'Out of time'
  if (tests === 0) return 'No tests'
  return status === 'passed' ? `All ${passed} tests passed` : `${failed} of ${tests} tests failed`
}

function facts({ startedAt, durationMs, versions }: RunReport): string {
  const time = startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
  const { patchbay, playwright, node } = versions
  return `${time} · ${(durationMs / 1000).toFixed(1)} s · Patchbay ${patchbay}, Playwright ${playwright}, Node ${node}`
}

function counts({ summary }: RunReport): string {
  const items = (['passed', 'failed', 'flaky', 'skipped'] as const).map(
    (outcome) => `<div class="${outcome}"><dt>${WORDS[outcome]}</dt><dd>${summary[outcome]}</dd></div>`,
  )
  return `<dl class="counts">${items.join('')}</dl>`
}

/** What passed, by project: with a matrix of revisions and transports these are its cells. */
function matrix({ tests }: RunReport): string {
  const projects = Map.groupBy(tests, ({ project }) => project)
  if (projects.size < 2) return ''
  const rows = [...projects].map(([project, all]) => {
    const failed = all.filter(({ outcome }) => outcome === 'failed').length
    const passed = all.filter(({ outcome }) => outcome === 'passed' || outcome === 'flaky').length
    return `<tr><th scope="row">${escaped(project)}</th><td>${passed}</td><td class="${failed > 0 ? 'failed' : ''}">${failed}</td></tr>`
  })
  return `<section><h2>Projects</h2><table><thead><tr><th scope="col">Project</th><th scope="col">Passed</th><th scope="col">Failed</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`
}

function failure(test: TestReport): string {
  const attachments = test.attachments.map(({ name, path, text }) => {
    const label = escaped(name)
    if (text !== undefined) return `<details><summary>${label}</summary><pre>${escaped(text)}</pre></details>`
    return path === undefined ? '' : `<p>${label}: <code>${escaped(path)}</code></p>`
  })
  return `<details class="test ${test.outcome}" open>
<summary>${name(test)} <span class="where">${escaped(`${test.file}:${test.line}`)} · ${test.durationMs} ms</span></summary>
${test.errors.map(({ message }) => `<pre>${escaped(message)}</pre>`).join('\n')}
${attachments.join('\n')}
<p class="repeat">Repeat: <code>${escaped(test.repeat)}</code></p>
</details>`
}

function table(tests: readonly TestReport[]): string {
  const rows = tests.map(
    (test) =>
      `<tr><td class="${test.outcome}">${WORDS[test.outcome]}</td><td>${name(test)}</td><td class="where">${escaped(`${test.file}:${test.line}`)}</td><td class="number">${test.durationMs} ms</td></tr>`,
  )
  return `<table><thead><tr><th scope="col">Outcome</th><th scope="col">Test</th><th scope="col">Place</th><th scope="col">Time</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

function name({ project, groups, title }: TestReport): string {
  const before = [...(project === '' ? [] : [`[${project}]`]), ...groups]
  const path = before.length === 0 ? '' : `<span class="groups">${escaped(before.join(' › '))} › </span>`
  return `${path}<strong>${escaped(title)}</strong>`
}
