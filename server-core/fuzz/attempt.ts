import type { Connection } from '../client/connect.ts'
import { PeerError, RequestFailedError } from '../client/errors.ts'
import { callTool } from '../client/requests/call-tool.ts'
import { TransportError } from '../ports/contract.ts'
import { ErrorCode } from '../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { InputCase } from './input-cases.ts'

/** What a server has to do for every input. */
export type Property =
  /** It goes on running. */
  | 'no-crash'
  /** It answers in time. */
  | 'no-hang'
  /** Valid input is answered by a result, also with `isError`. */
  | 'no-protocol-error'
  /** Invalid input is refused. */
  | 'invalid-input-refused'
  /** The refusal says what is wrong. */
  | 'clear-error'
  /** Results match the output schema. */
  | 'output-schema'
  /** The answer is a valid message of the protocol. */
  | 'valid-answer'

/** A broken property. */
export type Fault = { readonly property: Property; readonly expected: string; readonly actual: string }

export type Attempt =
  | { readonly type: 'fine'; readonly isError: boolean }
  | { readonly type: 'fault'; readonly fault: Fault; readonly lostConnection: boolean }
  /** It cannot be judged: the server asked for something that nobody answers, for instance. */
  | { readonly type: 'undecided'; readonly reason: string }

/** Calls a tool once and judges the answer. Rejects only if the run was given up. */
export async function attempt(
  connection: Connection,
  tool: string,
  { input, fault }: InputCase,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Attempt> {
  const isValid = fault === undefined
  try {
    const call = { name: tool, arguments: input }
    const outcome = await callTool(connection, call, { timeoutMs, maximumMs: timeoutMs * 2, signal })
    if (outcome.type === 'task') {
      // A task that has ended meanwhile cannot be cancelled.
      await outcome.task.cancel().catch(() => undefined)
      return isValid ? { type: 'fine', isError: false } : accepted(fault, 'a task')
    }
    const { result, outputCheck } = outcome
    const isError = result['isError'] === true
    if (isError)
      return isValid || textOf(result) !== '' ? { type: 'fine', isError } : unclear('isError without a text')
    if (!isValid) return accepted(fault, shortText(result))
    if (outputCheck.state !== 'differs') return { type: 'fine', isError }
    const [finding] = outputCheck.findings
    return found({
      property: 'output-schema',
      expected: 'structuredContent that matches the outputSchema',
      actual:
        `${finding?.path ?? ''} ${finding?.message ?? ''}: ${shortText(result['structuredContent'])}`.trim(),
    })
  } catch (error) {
    signal.throwIfAborted()
    return judgeError(error, connection, timeoutMs, isValid)
  }
}

function judgeError(error: unknown, connection: Connection, timeoutMs: number, isValid: boolean): Attempt {
  if (error instanceof PeerError) return judgePeerError(error, isValid)
  if (!(error instanceof RequestFailedError)) throw error
  switch (error.code) {
    case 'timeout':
      return found(
        { property: 'no-hang', expected: `an answer within ${timeoutMs} ms`, actual: 'no answer' },
        true,
      )
    case 'closed':
      return crashed(error, connection)
    case 'transport':
      // An HTTP server that answers, whatever the status, is running.
      return isUnreachable(error, connection)
        ? crashed(error, connection)
        : found({ property: 'valid-answer', expected: 'a result of tools/call', actual: error.message }, true)
    case 'invalid-answer':
      return found({ property: 'valid-answer', expected: 'a result of tools/call', actual: error.message })
    default:
      return { type: 'undecided', reason: error.message }
  }
}

function isUnreachable({ cause }: RequestFailedError, { transport }: Connection): boolean {
  return transport === 'stdio' || (cause instanceof TransportError && cause.code === 'connection-failed')
}

function crashed({ message }: RequestFailedError, connection: Connection): Attempt {
  const { stderr } = connection.evidence()
  const last = stderr?.trim().split('\n').at(-1) ?? ''
  const actual = last === '' ? message : `${message}; its last line on stderr: ${last}`
  return found({ property: 'no-crash', expected: 'an answer', actual }, true)
}

function judgePeerError({ code, message }: PeerError, isValid: boolean): Attempt {
  const actual = `the error ${code}${message === '' ? ' without a message' : ` "${message}"`}`
  if (code === ErrorCode.urlElicitationRequired) return { type: 'undecided', reason: actual }
  if (isValid) return found({ property: 'no-protocol-error', expected: 'a result', actual })
  if (code === ErrorCode.internalError || message.trim() === '') return unclear(actual)
  return { type: 'fine', isError: true }
}

function accepted(fault: string, actual: string): Attempt {
  return found({
    property: 'invalid-input-refused',
    expected: `an error, because ${fault}`,
    actual: `success: ${actual}`,
  })
}

function unclear(actual: string): Attempt {
  return found({ property: 'clear-error', expected: 'an error that says what is wrong', actual })
}

function found(fault: Fault, lostConnection = false): Attempt {
  return { type: 'fault', fault, lostConnection }
}

/** The text of a result. */
function textOf({ content }: JsonObject): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((block: unknown) => (isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('')
    .trim()
}

const LONGEST = 200

function shortText(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
