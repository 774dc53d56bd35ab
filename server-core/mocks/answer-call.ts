import { setTimeout as wait } from 'node:timers/promises'
import { ProtocolError } from '../protocol/errors.ts'
import { parseExact } from '../protocol/exact-json.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Answer } from './mock-entry.ts'

/** The module that answers, as an answer names it. */
export type AnswerModule =
  { readonly kind: 'script'; readonly file: string } | { readonly kind: 'code'; readonly code: string }

/** Runs a module that answers a call, and gives the JSON text of what its default export gave for it. */
export type RunAnswer = (
  module: AnswerModule,
  call: JsonObject,
  signal: AbortSignal,
  timeoutMs: number | undefined,
) => Promise<string>

export type AnswerParts = {
  /** Missing where no script may run, such as in a workspace that nobody trusts. */
  readonly run?: RunAnswer
}

/** Milliseconds beside delay and script that an answer may take. */
const GRACE_MS = 60_000

/** Milliseconds after which a call with that answer has failed. */
export function timeLimitOf(answer: Answer): number {
  const script = 'timeoutMs' in answer && typeof answer.timeoutMs === 'number' ? answer.timeoutMs : 0
  return GRACE_MS + (answer.delayMs ?? 0) + script
}

/**
 * What an answer comes to for a call: the bare result, or of a script any JSON value. `call` is what templates and
 * scripts see: `arguments`, `uri`, `variables`, `name`, `method`, `client`.
 *
 * Throws a `ProtocolError` for an answer that is one, a `RuleError` for a template that cannot be filled in or a
 * script that gives nothing, and the reason of the signal if that was aborted.
 */
export async function answerCall(
  answer: Answer,
  call: JsonObject,
  parts: AnswerParts,
  signal: AbortSignal,
): Promise<unknown> {
  if (answer.delayMs !== undefined && answer.delayMs > 0) await pause(answer.delayMs, signal)
  switch (answer.kind) {
    case 'fixed':
      return answer.result
    case 'template': {
      const { fillTemplate } = await import('../responders/template.ts')
      return fillTemplate(answer.template, call, 'call')
    }
    case 'script':
    case 'code': {
      if (parts.run === undefined) throw await refusedScript()
      return parseExact(await parts.run(answer, call, signal, answer.timeoutMs))
    }
    case 'error':
      throw new ProtocolError(answer.code, answer.message, answer.data)
  }
}

async function refusedScript(): Promise<Error> {
  const { RuleError } = await import('../responders/rule-error.ts')
  const message = 'This answer is a script, and no scripts run here: trust the workspace first.'
  return new RuleError('script', message)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
