import { Redaction } from '../../capture/redaction.ts'
import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { RunReport } from '../run/run-options.ts'
import { summaryOf } from '../run/run-checks.ts'
import type { Cell, CheckResult } from '../verdict.ts'
import type { Baseline } from './baseline.ts'
import { conformanceReport } from './conformance-report.ts'
import type { ConformanceReport } from './report-schema.ts'

export const STDIO: Cell = { side: 'server', revision: '2025-11-25', transport: 'stdio' }
const OLDER: Cell = { ...STDIO, revision: '2025-06-18' }
export const SECRET = 'hunter2-hunter2'

function frame(index: number, from: 'client' | 'server', value: unknown): CapturedFrame {
  return {
    index,
    at: Date.UTC(2026, 10, 24),
    connection: { number: 1, run: 1, transport: 'stdio', revision: '2025-11-25' },
    kind: 'message',
    from,
    bytes: Buffer.from(JSON.stringify(value)),
    value,
    http: undefined,
    reason: undefined,
  }
}

function result(id: string, change: Partial<CheckResult>): CheckResult {
  const title = `<${id}> & its "title"`
  return { id, title, cell: STDIO, verdict: 'passed', findings: [], durationMs: 12.4, frames: [], ...change }
}

const finding = {
  severity: 'error',
  statement: 'jsonrpc.method-not-found',
  revision: '2025-11-25',
  transport: 'stdio',
  expected: 'error -32601',
  actual: `a result <b> ${SECRET}`,
  member: '/error/code',
  frames: [7, 8],
} as const

/** The results of a run with one of each verdict. */
export function exampleResults(): readonly CheckResult[] {
  return [
    result('jsonrpc.unknown-method.server', {
      verdict: 'failed',
      findings: [finding],
      frames: [
        frame(6, 'client', { jsonrpc: '2.0', id: 1, method: 'ping' }),
        frame(7, 'client', { jsonrpc: '2.0', id: 2, method: 'patchbay/none' }),
        frame(8, 'server', { jsonrpc: '2.0', id: 2, error: { code: -1, message: SECRET } }),
      ],
    }),
    result('base.id.echo-types', {}),
    result('base.id.echo-types', { cell: OLDER }),
    result('ping.server.replies', {
      verdict: 'warned',
      findings: [{ ...finding, severity: 'warning' }],
    }),
    result('jsonrpc.parse-error.server', { verdict: 'inconclusive', reason: 'not finished within 60000 ms' }),
    result('tools.call.unknown-tool', { verdict: 'notApplicable', reason: 'the server has no tools' }),
  ]
}

/** A report of these results, as a run makes one. */
export async function reportOf(
  results: readonly CheckResult[],
  baseline?: Baseline,
  cells: readonly Cell[] = [OLDER, STDIO],
): Promise<ConformanceReport> {
  const catalogue = await loadCatalogue()
  const masking = new Redaction()
  masking.register(SECRET)
  const run: RunReport = {
    seed: 7,
    durationMs: 1_234.5,
    cells,
    peer: { name: 'example <server>', version: '1.0' },
    unsupported: [
      { cell: { ...STDIO, revision: '2026-07-28' }, reason: 'the handshake was answered by error -32601' },
    ],
    results,
    summary: summaryOf(results),
  }
  return conformanceReport(run, {
    catalogue,
    masking,
    startedAt: new Date(Date.UTC(2026, 10, 24, 12)),
    subject: { side: 'server', name: 'example <server>', version: '1.0', target: 'node server.js' },
    versions: { patchbay: '0.1.0', node: '24.0.0', platform: 'linux x64' },
    command: 'patchbay check --seed 7 -- node server.js',
    repeat: (id, cell) => `patchbay check --grep ${id} --revision ${cell.revision} -- node server.js`,
    suite: { name: '2026.11', hasScore: true },
    ...(baseline !== undefined && { baseline: { file: 'baseline.json', baseline } }),
  })
}
