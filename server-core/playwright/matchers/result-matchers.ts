import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test'
import { PeerError, RequestFailedError } from '../../client/errors.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { callFacts, keptFrames } from '../connection/results.ts'
import { matcherResult, type Outcome } from './failure-text.ts'
import { retried, type RetryOptions } from './retry.ts'

/** What a request came to. */
type Settled =
  { readonly type: 'result'; readonly value: unknown } | { readonly type: 'error'; readonly error: unknown }
type Judge = (settled: Settled) => Outcome

const LONGEST = 400

/** `toSucceed`, `toBeToolError`, `toFailWith`, `toMatchOutputSchema` for results, promises of them, and functions. */
export const resultMatchers = {
  toSucceed(this: ExpectMatcherState, received: unknown, options: RetryOptions = {}) {
    return judged(this, 'toSucceed', received, options, (settled) => ({
      pass: settled.type === 'result' && !isToolError(settled.value),
      expected: 'success',
      received: describe(settled),
      frames: framesOf(settled),
    }))
  },

  toBeToolError(
    this: ExpectMatcherState,
    received: unknown,
    text?: string | RegExp,
    options: RetryOptions = {},
  ) {
    return judged(this, 'toBeToolError', received, options, (settled) => {
      const isError = settled.type === 'result' && isToolError(settled.value)
      const said = settled.type === 'result' ? textOf(settled.value) : ''
      const matches = text === undefined || (typeof text === 'string' ? said.includes(text) : text.test(said))
      return {
        pass: isError && matches,
        expected: `a tool error${text === undefined ? '' : ` with ${String(text)}`}`,
        received: describe(settled),
        frames: framesOf(settled),
      }
    })
  },

  toFailWith(this: ExpectMatcherState, received: unknown, code: number | string, options: RetryOptions = {}) {
    return judged(this, 'toFailWith', received, options, (settled) => ({
      pass: settled.type === 'error' && codeOf(settled.error) === code,
      expected: `error ${code}`,
      received: describe(settled),
      frames: framesOf(settled),
    }))
  },

  toMatchOutputSchema(this: ExpectMatcherState, received: unknown, options: RetryOptions = {}) {
    return judged(this, 'toMatchOutputSchema', received, options, matchesSchema)
  },
}

/** At once for a result, when it settles for a promise, again and again for a function. */
function judged(
  state: ExpectMatcherState,
  name: string,
  received: unknown,
  options: RetryOptions,
  judge: Judge,
): MatcherReturnType | Promise<MatcherReturnType> {
  if (typeof received === 'function') {
    const look = async () => judge(await settle(received as () => unknown))
    return retried(state, options, look).then((outcome) => matcherResult(state, name, outcome))
  }
  if (received instanceof Promise)
    return settle(() => received).then((settled) => matcherResult(state, name, judge(settled)))
  // `.rejects` unwraps the error itself.
  const settled: Settled =
    received instanceof Error ? { type: 'error', error: received } : { type: 'result', value: received }
  return matcherResult(state, name, judge(settled))
}

async function settle(run: () => unknown): Promise<Settled> {
  try {
    return { type: 'result', value: await run() }
  } catch (error) {
    return { type: 'error', error }
  }
}

function matchesSchema(settled: Settled): Outcome {
  const facts = settled.type === 'result' ? callFacts(settled.value) : undefined
  const expected = 'structured content that matches the output schema'
  const frames = framesOf(settled)
  if (facts === undefined) {
    const hint = 'Only a result of mcp.callTool() can be checked against the schema of its tool.'
    return { pass: false, expected, received: describe(settled), frames, hint }
  }
  const { outputCheck, tool } = facts
  switch (outputCheck.state) {
    case 'matches':
      return { pass: true, expected, received: 'it matches', frames }
    case 'differs': {
      const faults = outputCheck.findings.map(
        ({ path, message }) => `${path === '' ? '/' : path}: ${message}`,
      )
      return { pass: false, expected, received: faults.join('; '), frames }
    }
    case 'no-schema': {
      const isError = settled.type === 'result' && isToolError(settled.value)
      const why = isError ? 'the tool failed' : `the tool "${tool}" declares no output schema`
      return { pass: false, expected, received: why, frames }
    }
    case 'not-checked':
      return { pass: false, expected, received: `not checked: ${outputCheck.reason}`, frames }
  }
}

function isToolError(value: unknown): boolean {
  return isJsonObject(value) && value['isError'] === true
}

function textOf(value: unknown): string {
  if (!isJsonObject(value)) return ''
  return typeof value['text'] === 'string' ? value['text'] : JSON.stringify(value['content'] ?? '')
}

function codeOf(error: unknown): number | string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'number' || typeof error.code === 'string' ? error.code : undefined
}

function describe(settled: Settled): string {
  if (settled.type === 'error') {
    const { error } = settled
    if (error instanceof PeerError) return `error ${error.code} of the server: ${error.message}`
    if (error instanceof RequestFailedError) return `no answer (${error.code}): ${error.message}`
    return messageOf(error)
  }
  if (isToolError(settled.value)) return `a tool error: ${shortened(textOf(settled.value))}`
  return `a result: ${shortened(stringify(settled.value))}`
}

/** The value as JSON; the word where JSON has none. */
function stringify(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value)
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

function framesOf(settled: Settled): ReturnType<typeof keptFrames> {
  return keptFrames(settled.type === 'result' ? settled.value : settled.error)
}
