import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '../../client/connection.ts'
import { PeerError } from '../../client/errors.ts'
import type { RequestOptions } from '../../client/request-options.ts'
import type { RecordedCall } from '../../comparison/recorded-calls.ts'
import { isOfOneConnection } from '../../comparison/connection-values.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { isLogLevel } from '../../protocol/log-level.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { REVISIONS, revisionRow } from '../../protocol/revisions.ts'
import type { PlannedCall, ReplayPlan, SkippedCall } from './replay-plan.ts'
import type { ReturnedValues } from './returned-values.ts'

export type SendOptions = {
  /** Each call after the answer to the one before; else as concurrent as they were. */
  readonly sequential: boolean
  /** Recorded times divided by this; undefined sends each call as soon as it may be sent. */
  readonly speed?: number
  readonly signal: AbortSignal
}

/** What became of a call. `failed`: no answer came, for this reason. */
export type SentCall = {
  readonly call: RecordedCall
  readonly durationMs: number
  readonly outcome:
    | { readonly type: 'answered' }
    | { readonly type: 'unanswered' }
    | { readonly type: 'failed'; readonly reason: string }
}

/** What was sent, and what could not be in the revision of the connection. */
export type Sent = { readonly calls: readonly SentCall[]; readonly skipped: readonly SkippedCall[] }

/** Members of `_meta` that a connection writes itself. */
const OWN_META: ReadonlySet<string> = new Set(Object.values(MetaKey))

/**
 * Sends the calls of a plan over a connection: each after the answers that came before it in the recording. What the
 * revision expresses otherwise (subscriptions, log level) is converted; what it cannot express is skipped.
 *
 * @param values learn from each answer, and replace what is sent
 */
export async function sendPlan(
  connection: Connection,
  plan: ReplayPlan,
  values: ReturnedValues,
  { sequential, speed, signal }: SendOptions,
): Promise<Sent> {
  const sent: SentCall[] = []
  const skipped: SkippedCall[] = []
  const running = new Map<number, Promise<void>>()
  const open = new Map<RecordedCall['id'], AbortController>()
  const ended = new AbortController()
  const startedAt = performance.now()
  const firstAt = plan.calls[0]?.call.at ?? 0
  let awaited = 0
  for (const [place, { call, answersBefore }] of plan.calls.entries()) {
    for (; awaited < answersBefore; awaited += 1) await running.get(plan.answered[awaited] ?? -1)
    if (speed !== undefined) {
      const due = (call.at - firstAt) / speed - (performance.now() - startedAt)
      if (due > 0) await wait(due, undefined, { signal })
    }
    signal.throwIfAborted()
    if (call.method === 'notifications/cancelled') {
      const { requestId } = call.params
      if (typeof requestId === 'string' || typeof requestId === 'number') open.get(requestId)?.abort()
      continue
    }
    const reason = notExpressible(connection, call)
    if (reason !== undefined) {
      skipped.push({ call, reason })
      continue
    }
    const own = new AbortController()
    if (call.id !== undefined) open.set(call.id, own)
    const one = sendOne(connection, { call, answersBefore }, values, {
      signal: AbortSignal.any([signal, own.signal, ended.signal]),
    }).then((done) => void sent.push(done))
    running.set(place, one)
    if (sequential && call.outcome.type !== 'none') await one
  }
  await Promise.all(plan.answered.flatMap((place) => running.get(place) ?? []))
  // What had no answer in the recording is not waited for.
  ended.abort()
  await Promise.all(running.values())
  signal.throwIfAborted()
  return { calls: sent.sort((one, other) => one.call.frame - other.call.frame), skipped }
}

async function sendOne(
  connection: Connection,
  { call }: PlannedCall,
  values: ReturnedValues,
  options: RequestOptions,
): Promise<SentCall> {
  const startedAt = performance.now()
  const done = (outcome: SentCall['outcome']): SentCall => ({
    call,
    durationMs: performance.now() - startedAt,
    outcome,
  })
  try {
    const result = await send(connection, call, values.apply(withoutOwnMeta(call.params)), options)
    if (call.outcome.type === 'result' && result !== undefined) values.learn(call.outcome.value, result)
    return done({ type: 'answered' })
  } catch (error) {
    if (error instanceof PeerError) return done({ type: 'answered' })
    if (call.outcome.type === 'none' && options.signal?.aborted === true) return done({ type: 'unanswered' })
    return done({ type: 'failed', reason: messageOf(error) })
  }
}

async function send(
  connection: Connection,
  { kind, method, params: recorded }: RecordedCall,
  params: JsonObject,
  options: RequestOptions,
): Promise<JsonObject | undefined> {
  if (kind === 'notification') {
    await connection.notify(method, params)
    return undefined
  }
  const uri = params['uri']
  if (method === 'resources/subscribe' && typeof uri === 'string') {
    await connection.subscribe(uri)
    return undefined
  }
  if (method === 'resources/unsubscribe' && typeof uri === 'string') {
    await connection.unsubscribe(uri)
    return undefined
  }
  const level = params['level']
  if (method === 'logging/setLevel' && isLogLevel(level)) {
    await connection.setLogLevel(level)
    return undefined
  }
  const meta = recorded['_meta']
  const wantsProgress = isJsonObject(meta) && meta['progressToken'] !== undefined
  const { result } = await connection.request(method, params, {
    ...options,
    cache: 'refresh',
    ...(wantsProgress && { onProgress: () => undefined }),
  })
  return result
}

/** Why a call cannot be sent in the revision of a connection; undefined if it can. */
function notExpressible({ revision, era }: Connection, { kind, method }: RecordedCall): string | undefined {
  const converted = /^(resources\/(un)?subscribe|logging\/setLevel)$/.test(method)
  const row = revisionRow(revision)
  if (converted || row === undefined) return undefined
  if (method === 'subscriptions/listen')
    return era === 'modern' ? 'the connection opens its own' : `revision ${revision} has no ${method}`
  const named = (of: typeof row): string | undefined =>
    kind === 'request' ? of.requests[method] : of.notifications[method]
  // Methods of extensions are the server's own matter.
  if (!REVISIONS.some((other) => named(other) !== undefined)) return undefined
  const direction = named(row)
  if (direction === 'client-to-server' || direction === 'both') return undefined
  return `revision ${revision} has no ${method}`
}

function withoutOwnMeta({ _meta, ...params }: JsonObject): JsonObject {
  if (!isJsonObject(_meta)) return params
  const own = Object.entries(_meta).filter(([name]) => !OWN_META.has(name) && !isOfOneConnection(name))
  return own.length === 0 ? params : { ...params, _meta: Object.fromEntries(own) }
}
