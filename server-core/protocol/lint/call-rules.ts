import { isJsonObject, type JsonObject } from '../json.ts'
import { MetaKey } from '../meta-keys.ts'
import { REVISIONS, revisionRow } from '../revisions.ts'
import { checkProgress } from './object-rules.ts'
import { nameOf, type LintReport } from './report.ts'
import { checkHandshakeVersion, IN_ROUNDS } from './result-rules.ts'

/** What a subscription delivers. */
const DELIVERED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/subscriptions/acknowledged',
])

const DEPRECATED: ReadonlySet<string> = new Set([
  'roots/list',
  'sampling/createMessage',
  'notifications/message',
])

/**
 * Returns whether the revision lets this side send the method, and reports if not. A method that the revision has not is
 * reported with those that have it.
 */
export function checkMethod(method: string, isRequest: boolean, report: LintReport): boolean {
  const { direction, extensionMethods = [] } = report.options
  const { requests, notifications, revision } = report.row
  const table: { readonly [method: string]: string } = isRequest ? requests : notifications
  const way = Object.hasOwn(table, method) ? table[method] : undefined
  if (way === undefined) {
    if (extensionMethods.includes(method)) return false
    const others = REVISIONS.filter((row) =>
      Object.hasOwn(isRequest ? row.requests : row.notifications, method),
    ).map((row) => row.revision)
    const where =
      others.length === 0
        ? 'no revision has'
        : `only ${others.join(', ')} ${others.length === 1 ? 'has' : 'have'}`
    report.add(
      'unknown-method',
      ['method'],
      `${revision} has no ${isRequest ? 'request' : 'notification'} ${nameOf(method)}; ${where} it.`,
    )
    return false
  }
  if (way === 'embedded') {
    report.add(
      'direction',
      ['method'],
      `${nameOf(method)} is not a message of its own; it travels in inputRequests.`,
    )
  } else if (way !== 'both' && way !== direction) {
    report.add(
      'direction',
      ['method'],
      `${nameOf(method)} is sent by the ${way === 'client-to-server' ? 'client' : 'server'}.`,
    )
  }
  return true
}

/** Checks what some methods ask of their params. */
export function checkParams(
  method: string,
  params: JsonObject,
  isRequest: boolean,
  report: LintReport,
): void {
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : undefined
  if (method === 'initialize') {
    checkHandshakeVersion(params['protocolVersion'], ['params', 'protocolVersion'], report)
  }
  if (method === 'notifications/progress') checkProgress(params, ['params'], report)
  if (report.row.era === 'legacy') return
  if (DEPRECATED.has(method)) report.add('deprecated', ['method'], `${nameOf(method)} is deprecated.`)
  if (isRequest) {
    if (meta !== undefined) checkEnvelope(meta, report)
    for (const member of ['inputResponses', 'requestState']) {
      if (
        Object.hasOwn(params, member) &&
        !IN_ROUNDS.has(method) &&
        Object.hasOwn(report.row.requests, method)
      ) {
        report.add('input-responses', ['params', member], `${nameOf(method)} takes no ${member}.`)
      }
    }
  } else if (DELIVERED.has(method) && (meta === undefined || !Object.hasOwn(meta, MetaKey.subscriptionId))) {
    report.add('subscription-id', ['params'], `There is no ${MetaKey.subscriptionId} in _meta.`)
  }
}

function checkEnvelope(meta: JsonObject, report: LintReport): void {
  const at = ['params', '_meta']
  if (!Object.hasOwn(meta, MetaKey.clientInfo)) {
    report.add('client-info', at, `There is no ${MetaKey.clientInfo}.`)
  }
  if (Object.hasOwn(meta, MetaKey.logLevel)) {
    report.add('deprecated', [...at, MetaKey.logLevel], 'Log messages are deprecated.')
  }
  const claim = meta[MetaKey.protocolVersion]
  if (typeof claim !== 'string' || claim === report.row.revision) return
  const path = [...at, MetaKey.protocolVersion]
  const row = revisionRow(claim)
  const text =
    row?.era === 'legacy'
      ? `${claim} opens with a handshake and cannot be claimed by a request.`
      : `The request claims ${nameOf(claim)} and is read by ${report.row.revision}.`
  report.add('version-claim', path, text)
}
