import path from 'node:path'
import type { TestInfo } from '@playwright/test'
import type { ListedCheck } from '../../conformance/catalogue/check-list.ts'
import { cellLabel, explanation } from '../../conformance/report/check-name.ts'
import { checkPageUrl } from '../../conformance/report/check-page-url.ts'
import { shellLine } from '../../conformance/report/repeat-command.ts'
import { WIRE_TRANSPORTS, type TransportKind } from '../../protocol/transport-kind.ts'
import type { McpOptions } from '../options.ts'
import { noServerError } from '../server/tested-server.ts'
import { requestTimeout, test } from '../test.ts'
import { calledFrom } from './called-from.ts'
import { ConformanceFailure } from './conformance-failure.ts'
import { cutFrames, failureText, fixedText, outcomeOf } from './check-results.ts'
import { ChecksAhead } from './checks-ahead.ts'
import type { ConformanceOptions } from './conformance-options.ts'
import type { Examination, ExaminedCheck } from './examine-server.ts'
import { listedChecks } from './listed-checks.ts'

/** A check has a deadline of its own, which comes with a reason, so Playwright's is only for what does not end. */
const LONGEST_MS = 10 * 60_000

/**
 * Registers a Playwright test for each conformance check of servers. The server is that of the configuration or of
 * `test.use`. A worker discovers it once; the checks run in parallel, a little ahead of their tests.
 *
 * @example
 * ```ts
 * import { conformance, test } from 'patchbay/test'
 *
 * test.use({ server: { command: 'node', args: ['server.js'] } })
 * test.describe('a server with one tool', () => {
 *   conformance({ include: ['jsonrpc', 'tools'], revisions: ['2025-11-25'], callReadOnly: true })
 * })
 * ```
 */
export function conformance(options: ConformanceOptions = {}): void {
  const checks = listedChecks(options)
  const call = calledFrom()
  const active = checks.filter(({ passive }) => passive !== true).map(({ id }) => id)
  let examination: Examination | undefined
  let ahead: ChecksAhead<ExaminedCheck> | undefined

  call(test.describe, 'conformance', () => {
    if (options.server !== undefined) test.use({ server: options.server })

    test.beforeAll(async ({ server, authorization, revision, transport }, info) => {
      allowTime(info)
      if (server.option === undefined) throw noServerError()
      // The engine and the catalogue are loaded here, so that a file which only lists its tests stays quick.
      const { openExamination } = await import('./examine-server.ts')
      const opened = await openExamination({
        choices: options,
        server: server.option,
        authorization,
        revisions: options.revisions ?? (revision === 'auto' ? undefined : [revision]),
        transports: options.transports ?? wireTransports(transport),
        baselineFile:
          options.baseline === undefined
            ? undefined
            : path.resolve(path.dirname(info.file), options.baseline),
        startTimeoutMs: requestTimeout(info),
      })
      examination = opened
      ahead = new ChecksAhead(active, (id) => opened.examine(id))
    })

    test.afterAll(async () => {
      allowTime(test.info())
      await examination?.close()
    })

    for (const [area, all] of Map.groupBy(checks, areaOf)) {
      call(test.describe, area, () => {
        for (const check of all) {
          const details = { annotation: { type: 'check', description: checkPageUrl(check.id) } }
          call(test, `${check.id}: ${check.title}`, details, async () => {
            const info = test.info()
            allowTime(info)
            if (ahead === undefined) throw new Error('the server was not discovered')
            await judge(check, await ahead.take(check.id), options, info)
          })
        }
      })
    }
  })
}

/** Checks that read messages come last, together. */
function areaOf({ id, passive }: ListedCheck): string {
  return passive === true ? 'all messages' : (id.split('.', 1)[0] ?? id)
}

function wireTransports(transport: McpOptions['transport']): ConformanceOptions['transports'] {
  const isWire = (kind: TransportKind | 'auto') => WIRE_TRANSPORTS.find((each) => each === kind)
  const wire = isWire(transport)
  return wire === undefined ? undefined : [wire]
}

function allowTime(info: TestInfo): void {
  if (info.timeout !== 0) info.setTimeout(Math.max(info.timeout, LONGEST_MS))
}

/** Passes, skips or fails the test of a check. */
async function judge(
  { id, title }: ListedCheck,
  { results, clauses }: ExaminedCheck,
  options: ConformanceOptions,
  info: TestInfo,
): Promise<void> {
  const context = { id, title, clauses, page: checkPageUrl(id), repeat: repeatingCommand(id, info) }
  const outcome = outcomeOf(results, options)
  if (outcome.type === 'skipped') info.skip(true, outcome.reason)
  if (outcome.type === 'fixed')
    throw new ConformanceFailure(fixedText(outcome.results, options.baseline ?? '', context))
  if (outcome.type === 'failed') {
    if (outcome.isExpected) info.fail(true, `expected by ${options.baseline ?? 'the baseline'}`)
    const frames = cutFrames(outcome.results)
    if (frames !== undefined) await info.attach('frames', { body: frames, contentType: 'application/json' })
    throw new ConformanceFailure(failureText(outcome.results, context))
  }
  for (const result of results) {
    if (result.verdict !== 'warned' && result.verdict !== 'inconclusive') continue
    const type = result.verdict === 'warned' ? 'warning' : 'inconclusive'
    info.annotations.push({ type, description: `${cellLabel(result)}: ${explanation(result)}` })
  }
}

function repeatingCommand(id: string, { file, project }: TestInfo): string {
  const named = project.name === '' ? [] : ['--project', project.name]
  return shellLine(['npx', 'playwright', 'test', path.relative('', file), ...named, '--grep', `${id}:`])
}
