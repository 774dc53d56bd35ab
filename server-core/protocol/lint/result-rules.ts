import { isJsonObject, type JsonObject } from '../json.ts'
import { MetaKey } from '../meta-keys.ts'
import { revisionRow } from '../revisions.ts'
import { resultNames, shapeOf } from '../wire/definitions.ts'
import type { Path } from '../wire/path.ts'
import { nameOf, type LintReport } from './report.ts'

/** The requests that may take several rounds. */
export const IN_ROUNDS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

const AT: Path = ['result']

/** The definition that a result should fit: by what it says of itself, and by the request that it answers. */
export function definitionOfResult(result: JsonObject, report: LintReport): string {
  const { answers, revision } = report.options
  const names = answers === undefined ? [] : resultNames(answers, revision)
  if (report.row.era === 'modern') {
    const type = result['resultType']
    if (type === 'input_required') return 'InputRequiredResult'
    if (type !== undefined && type !== 'complete') return 'Result'
  } else if (isJsonObject(result['task']) && names.includes('CreateTaskResult')) {
    return 'CreateTaskResult'
  }
  return names[0] ?? 'Result'
}

/** Checks what all results have in common, and what belongs to some of them only. */
export function checkResult(result: JsonObject, report: LintReport): void {
  const { answers } = report.options
  const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
  if (report.row.era === 'modern') {
    checkResultType(result, report)
    if (!Object.hasOwn(meta, MetaKey.serverInfo)) {
      report.add('server-info', AT, `The result has no ${MetaKey.serverInfo} in _meta.`)
    }
  }
  if (answers === 'initialize')
    checkHandshakeVersion(result['protocolVersion'], [...AT, 'protocolVersion'], report)
  if (answers === 'tasks/result' && !Object.hasOwn(meta, MetaKey.relatedTask)) {
    report.add('related-task', AT, `The result has no ${MetaKey.relatedTask} in _meta.`)
  }
}

/** The version in `initialize` or its answer (Lifecycle: version negotiation). */
export function checkHandshakeVersion(version: unknown, at: Path, report: LintReport): void {
  if (typeof version !== 'string') return
  if (revisionRow(version)?.era === 'modern' || !/^\d{4}-\d\d-\d\d$/.test(version)) {
    report.add('handshake-version', at, `${nameOf(version)} is not a revision that opens with a handshake.`)
  }
}

function checkResultType(result: JsonObject, report: LintReport): void {
  const { resultType, inputRequests, requestState } = result
  const { answers, extensionResultTypes = [] } = report.options
  if (typeof resultType !== 'string') return
  if (resultType === 'input_required') {
    if (answers !== undefined && !IN_ROUNDS.has(answers)) {
      report.add('input-required', AT, `${nameOf(answers)} is answered at once, never with input_required.`)
    }
    if (inputRequests === undefined && requestState === undefined) {
      report.add('input-required', AT, 'There are neither inputRequests nor a requestState.')
    }
    reportHints(result, 'Rounds are never kept', report)
  } else if (resultType !== 'complete' && !extensionResultTypes.includes(resultType)) {
    report.add(
      'unknown-result-type',
      [...AT, 'resultType'],
      `${nameOf(resultType)} is not a known resultType.`,
    )
  } else if (answers !== undefined && !isCacheable(answers, report)) {
    reportHints(result, `Answers to ${answers} are never kept`, report)
  }
}

function reportHints(result: JsonObject, why: string, report: LintReport): void {
  for (const hint of ['ttlMs', 'cacheScope']) {
    if (Object.hasOwn(result, hint))
      report.add('cache-hints', [...AT, hint], `${why}; ${hint} has no place here.`)
  }
}

function isCacheable(method: string, report: LintReport): boolean {
  const [name] = resultNames(method, report.row.revision)
  const shape = name === undefined ? undefined : shapeOf(name, report.row.revision)
  // Nothing is known of the methods of extensions.
  return shape?.type !== 'object' || Object.hasOwn(shape.fields, 'ttlMs')
}
