import { isDeepStrictEqual } from 'node:util'
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RuleId, Severity } from '../../protocol/lint/rules.ts'
import { findingsIn } from '../timeline/findings.ts'
import { askedQuestions, questionText, type QuestionKind } from '../timeline/questions.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { matcherResult } from './failure-text.ts'
import { atEachFrame, type RetryOptions } from './retry.ts'

/** What `toConform` looks at. */
export type ConformOptions = {
  /** `warning` fails on warnings too; `error` unless given. */
  readonly level?: Severity
  /** Rules that are not looked at. */
  readonly ignore?: readonly RuleId[]
}

const RANK: Readonly<Record<Severity, number>> = { notice: 0, warning: 1, error: 2 }
const MOST_FINDINGS = 10

/** `toConform`, `toHaveAsked`, `toHaveNotified` for the timeline. */
export const timelineMatchers = {
  toConform(
    this: ExpectMatcherState,
    received: Timeline,
    { level = 'error', ignore = [] }: ConformOptions = {},
  ): MatcherReturnType {
    const findings = findingsIn(received).filter(
      ({ severity, rule }) => RANK[severity] >= RANK[level] && !ignore.includes(rule),
    )
    const lines = findings
      .slice(0, MOST_FINDINGS)
      .map(
        ({ rule, path, message, frame }) =>
          `  ${rule} at ${path === '' ? '/' : path} in frame ${frame.number}: ${message}`,
      )
    const left = findings.length - lines.length
    return matcherResult(this, 'toConform', {
      pass: findings.length === 0,
      expected: 'messages of the server that keep every rule of the revision',
      received: findings.length === 0 ? 'no findings' : `${findings.length} findings`,
      hint: [...lines, ...(left > 0 ? [`  … and ${left} more`] : [])].join('\n'),
      frames: [...new Set(findings.map(({ frame }) => frame))],
    })
  },

  async toHaveAsked(
    this: ExpectMatcherState,
    received: Timeline,
    kind: QuestionKind,
    pattern?: string | RegExp,
    options: RetryOptions = {},
  ): Promise<MatcherReturnType> {
    const outcome = await atEachFrame(this, options, received, () => {
      const asked = askedQuestions(received).filter((question) => question.kind === kind)
      const texts = asked.map(questionText)
      const pass = pattern === undefined ? asked.length > 0 : texts.some((text) => matches(text, pattern))
      return {
        pass,
        expected: `a question (${kind})${pattern === undefined ? '' : ` with ${String(pattern)}`}`,
        received: texts.length === 0 ? `no ${kind}` : texts.map((text) => JSON.stringify(text)).join(', '),
        frames: received.frames,
      }
    })
    return matcherResult(this, 'toHaveAsked', outcome)
  },

  async toHaveNotified(
    this: ExpectMatcherState,
    received: Timeline,
    method: string,
    params?: JsonObject,
    options: RetryOptions = {},
  ): Promise<MatcherReturnType> {
    const outcome = await atEachFrame(this, options, received, () => {
      const all = received.notifications().filter(({ from }) => from === 'server')
      const sent = all.filter((notification) => notification.method === method)
      const others = [...new Set(all.map((notification) => notification.method))].join(', ')
      const none = others === '' ? 'no notification' : `no such notification, but ${others}`
      return {
        pass: sent.some((one) => params === undefined || includes(one.params, params)),
        expected: `${method}${params === undefined ? '' : ` with ${JSON.stringify(params)}`}`,
        received: sent.length === 0 ? none : sent.map((one) => JSON.stringify(one.params)).join(', '),
        frames: received.frames,
      }
    })
    return matcherResult(this, 'toHaveNotified', outcome)
  },
}

function matches(text: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)
}

/** Whether an object has these members, deeply; it may have more. */
function includes(value: unknown, expected: unknown): boolean {
  if (!isJsonObject(expected) || !isJsonObject(value)) return isDeepStrictEqual(value, expected)
  return Object.entries(expected).every(([name, member]) => includes(value[name], member))
}
