import type { ReportedCheck } from './report-schema.ts'

const TRANSPORTS: Readonly<Record<ReportedCheck['transport'], string>> = {
  stdio: 'stdio',
  http: 'Streamable HTTP',
  sse: 'HTTP+SSE',
  websocket: 'WebSocket',
}

/** A transport as people read it. */
export function transportLabel(transport: ReportedCheck['transport']): string {
  return TRANSPORTS[transport]
}

/** The revision and transport of a check as people read them. */
export function cellLabel({ revision, transport }: Pick<ReportedCheck, 'revision' | 'transport'>): string {
  return `${revision}, ${transportLabel(transport)}`
}

/** How often a finding was made: nothing for once. */
export function timesLabel(times: number | undefined): string {
  return times === undefined ? '' : ` (${times} times)`
}

/** Why a check came to its verdict: its findings, or its reason. */
export function explanation({ findings, reason }: Pick<ReportedCheck, 'findings' | 'reason'>): string {
  if (findings.length === 0) return reason ?? ''
  return findings
    .map(({ expected, actual, member, times }) => {
      const where = member === undefined ? '' : ` at ${member}`
      return `expected ${expected}; got ${actual}${where}${timesLabel(times)}`
    })
    .join('\n')
}
