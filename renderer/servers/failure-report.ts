import { durationText } from '../../server-core/protocol/duration-text.ts'
import type { Failure, ServerState } from '../../server-core/host/contract/servers.ts'
import { serversText } from './text.ts'

/** One line of a text, with its number from 1. */
export interface NumberedLine {
  readonly number: number
  readonly text: string
}

/** Splits the output of a peer into lines, without an empty last line. */
export function numberedLines(text: string): readonly NumberedLine[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line, index) => ({ number: index + 1, text: line }))
}

/** The line that most likely names the cause: the last error, which precedes its stack. */
export function accusedLine(lines: readonly NumberedLine[]): number | undefined {
  return lines.findLast((line) =>
    /\b(\w*Error|\w*Exception|error|fatal|panic(ked)?)\b\s*(\[[^\]]*\])?:/i.test(line.text),
  )?.number
}

/** Output shown with a failure: a title and unmodified text. */
export interface Evidence {
  readonly title: string
  readonly text: string
  /** Which lines matter most when not all are shown. */
  readonly matters: 'first' | 'last'
}

/** The recorded output of a peer. */
type Said = Pick<Failure, 'stderr' | 'strayOutput' | 'httpStatus' | 'httpHeaders' | 'httpBody'>

/** The evidence of a failure: standard error, invalid JSON, the HTTP answer. Empty if there is none. */
export function evidenceOf(failure: Said): readonly Evidence[] {
  const parts: Evidence[] = []
  if (failure.stderr !== undefined && failure.stderr !== '')
    parts.push({ title: serversText.failureReport.stderr, text: failure.stderr, matters: 'last' })
  if (failure.strayOutput !== undefined && failure.strayOutput !== '') {
    parts.push({
      title: serversText.failureReport.invalidStdoutLine,
      text: failure.strayOutput,
      matters: 'first',
    })
  }
  if (failure.httpStatus !== undefined) {
    const headers = Object.entries(failure.httpHeaders ?? {}).map(([name, value]) => `${name}: ${value}`)
    parts.push({
      title: serversText.failureReport.http(failure.httpStatus),
      text: headers.join('\n'),
      matters: 'first',
    })
  }
  if (failure.httpBody !== undefined && failure.httpBody !== '') {
    parts.push({ title: serversText.failureReport.httpBody, text: failure.httpBody, matters: 'first' })
  }
  return parts
}

/** A failure as plain text, for a bug report. */
export function failureReport(server: ServerState, failure: Failure, version: string): string {
  const facts = [
    `${server.name}: ${failure.title}`,
    failure.explanation,
    '',
    `at: ${new Date(failure.at).toISOString()}`,
    ...(failure.afterMs === undefined ? [] : [`after: ${durationText(failure.afterMs)}`]),
    `transport: ${server.transport}`,
    `target: ${server.summary}`,
    `code: ${failure.code}`,
    ...(failure.pid === undefined ? [] : [`pid: ${failure.pid}`]),
    ...(failure.exitCode === undefined ? [] : [`exit code: ${failure.exitCode}`]),
    ...(failure.signal === undefined ? [] : [`signal: ${failure.signal}`]),
    serversText.failureReport.patchbay(version),
  ]
  const probe = server.probe.map((step) => `- ${step.step}: ${step.outcome}`)
  const evidence = evidenceOf(failure).flatMap((part) => ['', `--- ${part.title}`, part.text])
  return [...facts, ...(probe.length === 0 ? [] : ['', '--- probe', ...probe]), ...evidence].join('\n')
}
