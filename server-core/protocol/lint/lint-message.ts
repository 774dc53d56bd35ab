import { isJsonObject, type JsonObject } from '../json.ts'
import { isRequestId } from '../messages.ts'
import { MetaKey } from '../meta-keys.ts'
import { handshakeRow, type Revision } from '../revisions.ts'
import { NOTIFICATIONS, REQUESTS, shapeOf } from '../wire/definitions.ts'
import { wireSchema } from '../wire/schemas.ts'
import type { Span } from '../wire/shape.ts'
import type { Path } from '../wire/path.ts'
import { walkWire, type WireVisitor } from '../wire/walk.ts'
import { ASKING_CHECKS } from './asking-rules.ts'
import { checkMethod, checkParams } from './call-rules.ts'
import { checkErrorAnswer } from './error-rules.ts'
import { checkMeta } from './meta-rules.ts'
import { checkText, OBJECT_CHECKS, type Check } from './object-rules.ts'
import { LintReport, nameOf, type Finding, type LintOptions } from './report.ts'
import { checkResult, definitionOfResult } from './result-rules.ts'
import { reportSchemaFaults } from './schema-faults.ts'

const CHECKS: Readonly<Record<string, Check>> = { ...OBJECT_CHECKS, ...ASKING_CHECKS }

/**
 * Returns where a parsed message breaks a rule of its revision that the message alone can show: its envelope, its method
 * and who sends it, its shape, its `_meta`, and what its objects hold. With `answers` a response is checked against the
 * request that it answers. Takes any value that `parseMessage` let through, and then throws nothing but a `RangeError`
 * for an unknown revision. A message has two hundred findings at most.
 *
 * @example
 * ```ts
 * import { lintMessage } from 'patchbay/protocol'
 *
 * const message = { jsonrpc: '2.0', id: null, method: 'tools/list' }
 * const options = { revision: '2025-11-25', direction: 'client-to-server' } as const
 * for (const finding of lintMessage(message, options)) console.log(finding)
 * ```
 */
export function lintMessage(message: unknown, options: LintOptions): readonly Finding[] {
  const offered = offeredBy(message, options)
  const report = new LintReport({ ...options, revision: offered ?? options.revision }, offered !== undefined)
  if (Array.isArray(message)) lintBatch(message, options, report)
  else lintOne(message, report)
  return report.findings
}

/**
 * A handshake is of the revision it offers, whatever is agreed on later; also before a server of a newer revision, if it
 * claims to be of that: such a server refuses it and goes on (2026-07-28, Versioning).
 */
function offeredBy(message: unknown, { revision }: LintOptions): Revision | undefined {
  if (!isJsonObject(message) || message['method'] !== 'initialize' || !isJsonObject(message['params'])) {
    return undefined
  }
  const { protocolVersion, _meta: meta } = message['params']
  const claims = isJsonObject(meta) && meta[MetaKey.protocolVersion] === revision
  if (handshakeRow(revision) === undefined && !claims) return undefined
  return typeof protocolVersion === 'string' ? handshakeRow(protocolVersion)?.revision : undefined
}

function lintBatch(items: readonly unknown[], options: LintOptions, report: LintReport): void {
  if (!report.row.batches) {
    report.add('batch', [], `${report.row.revision} has no batches; each message stands alone.`)
  }
  if (items.length === 0) report.add('batch-content', [], 'The batch is empty.')
  const calls = items.filter((item) => isJsonObject(item) && item['method'] !== undefined).length
  if (calls > 0 && calls < items.length) {
    report.add('batch-content', [], 'The batch mixes responses with requests or notifications.')
  }
  for (const [index, item] of items.entries()) {
    if (isJsonObject(item) && item['method'] === 'initialize') {
      report.add('batch-content', [index], 'initialize stands alone, never in a batch.')
    }
    const inner = new LintReport(options)
    lintOne(item, inner)
    report.take(inner, [index])
  }
}

function lintOne(message: unknown, report: LintReport): void {
  if (!isJsonObject(message)) {
    report.add('message-kind', [], `Expected an object; found ${nameOf(message)}.`)
    return
  }
  if (message['jsonrpc'] !== '2.0') {
    report.add('json-rpc-version', ['jsonrpc'], `Expected "2.0"; found ${nameOf(message['jsonrpc'])}.`)
  }
  if (message['method'] !== undefined) lintCall(message, report)
  else lintResponse(message, report)
}

function lintCall(message: JsonObject, report: LintReport): void {
  const { id, method, params } = message
  if (typeof method !== 'string') {
    report.add('message-kind', ['method'], `Expected the name of a method; found ${nameOf(method)}.`)
    return
  }
  const isNotification = method.startsWith('notifications/')
  const isRequest = Object.hasOwn(message, 'id') && !isNotification
  if (isNotification && Object.hasOwn(message, 'id')) {
    report.add('notification-id', ['id'], `${nameOf(method)} has an id, so its receiver may answer.`)
  }
  if (Object.hasOwn(message, 'id')) checkId(id, report)
  if (message['result'] !== undefined || message['error'] !== undefined) {
    report.add('message-kind', [], 'The message is a call and a response at once.')
  }
  const isKnown = checkMethod(method, isRequest, report)
  if (params !== undefined && !isJsonObject(params)) {
    report.add('params', ['params'], `Expected an object; found ${nameOf(params)}.`)
    return
  }
  if (isJsonObject(params)) checkParams(method, params, isRequest, report)
  const named = isRequest ? REQUESTS[method]?.request : NOTIFICATIONS[method]
  const fallback = isRequest ? 'JSONRPCRequest' : 'JSONRPCNotification'
  lintValue(isKnown && named !== undefined ? named : fallback, message, [], report)
  if (report.row.era === 'modern' && isRequest && !isKnown) {
    const meta = wireSchema(report.row.revision, 'RequestParams')
    if (meta !== undefined) reportSchemaFaults(meta, params ?? {}, ['params'], report)
  }
}

function lintResponse(message: JsonObject, report: LintReport): void {
  const { id, result, error } = message
  if (result === undefined && error === undefined) {
    report.add('message-kind', [], 'There is neither a method nor a result nor an error.')
    return
  }
  if (report.row.era === 'modern' && report.options.direction === 'client-to-server') {
    report.add('client-response', [], 'The message is a response, and servers ask nothing.')
  }
  if (result !== undefined && error !== undefined) {
    report.add('result-or-error', [], 'The response has a result and an error.')
  }
  if (error !== undefined) {
    if (id !== undefined && id !== null) checkId(id, report)
    checkErrorAnswer(message, report)
    return
  }
  checkId(id, report)
  if (!isJsonObject(result)) {
    report.add('shape', ['result'], `Expected an object; found ${nameOf(result)}.`)
    return
  }
  checkResult(result, report)
  lintValue(definitionOfResult(result, report), result, ['result'], report)
}

function checkId(id: unknown, report: LintReport): void {
  if (!isRequestId(id))
    report.add('request-id', ['id'], `Expected a string or an integer; found ${nameOf(id)}.`)
}

/** Holds a value against a definition: first what has a rule of its own, then the schema. */
function lintValue(definition: string, value: unknown, at: Path, report: LintReport): void {
  const { revision } = report.row
  walkWire(revision, definition, value, at, visitorFor(report))
  const schema = shapeOf(definition, revision) && wireSchema(revision, definition)
  if (schema !== undefined) reportSchemaFaults(schema, value, at, report)
}

function visitorFor(report: LintReport): WireVisitor {
  return {
    definition: (name, value, path) => {
      const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined
      if (check !== undefined && isJsonObject(value)) check(value, path, report)
    },
    text: (format, text, path) => {
      checkText(format, text, path, report)
    },
    stray: (name, spans, path) => {
      // Extensions are declared in every revision, by both sides.
      if (name === 'extensions') return
      // A peer declares what it can, whatever the other side may know of it.
      const severity = path.includes('capabilities') ? 'notice' : undefined
      report.add('other-revision', path, `${nameOf(name)} is of ${spansInWords(spans)}.`, severity)
    },
    unknown: (name, known, path) => {
      const meant = known.find((one) => one !== name && one.toLowerCase() === name.toLowerCase())
      if (meant !== undefined)
        report.add('field-name', path, `${nameOf(name)} is nothing; ${nameOf(meant)} is.`)
    },
    meta: (meta, path) => {
      checkMeta(meta, path, report)
    },
  }
}

function spansInWords(spans: readonly Span[]): string {
  return spans
    .map(({ since, until }) => {
      if (since !== undefined && since === until) return `${since} only`
      if (since !== undefined && until !== undefined) return `${since} to ${until}`
      return since === undefined ? `revisions until ${until ?? 'now'}` : `${since} and later`
    })
    .join(', ')
}
