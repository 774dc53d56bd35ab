import { expect as base } from '@playwright/test'
import type { McpClient } from '../connection/mcp-client.ts'
import type { ToolResult } from '../connection/results.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { QuestionKind } from '../timeline/questions.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { contractMatcher, type ContractOptions } from './contract-matcher.ts'
import { durationMatcher, type DurationBudget } from './duration-matcher.ts'
import { recordingMatcher, type RecordingMatchOptions } from './recording-matcher.ts'
import { resultMatchers } from './result-matchers.ts'
import type { RetryOptions } from './retry.ts'
import { timelineMatchers, type ConformOptions } from './timeline-matchers.ts'

type Expected<T> = ReturnType<typeof base<T>>

/** Matchers of a tool's result. `R` is a promise where the value is one, or a function that is tried again and again. */
export type ResultMatchers<R> = {
  /** The request succeeded: a result came, and no tool error. */
  toSucceed(options?: RetryOptions): R
  /** The tool failed (`isError`), with this in its text. */
  toBeToolError(text?: string | RegExp, options?: RetryOptions): R
  /** The structured content matches the output schema that the server lists for the tool. */
  toMatchOutputSchema(options?: RetryOptions): R
}

/** Matchers of a request: a promise of a result, or a function that sends it. */
export type RequestMatchers = ResultMatchers<Promise<void>> & {
  /**
   * The server answered with this JSON-RPC error code, or no answer came for this reason (`timeout`, `closed`, …: see
   * `RequestFailureCode`).
   */
  toFailWith(code: number | string, options?: RetryOptions): Promise<void>
}

/** Matchers of a function that is called again and again. */
export type DurationMatchers = {
  /** Calls the function 30 times (`runs`) and compares the percentiles with limits in milliseconds. */
  toStayWithin(budget: DurationBudget): Promise<void>
}

/** Matchers of the timeline. */
export type TimelineMatchers = DurationMatchers & {
  /** Everything that the server sent keeps the rules of its revision. */
  toConform(options?: ConformOptions): void
  /** The server asked the client something; waits until it does. */
  toHaveAsked(kind: QuestionKind, pattern?: string | RegExp, options?: RetryOptions): Promise<void>
  /** The server sent a notification, with these members in its parameters; waits until it does. */
  toHaveNotified(method: string, params?: JsonObject, options?: RetryOptions): Promise<void>
  /**
   * The requests of both sides are those of a recording, with the same answers; times, identifiers and ports may differ, and
   * so may their order. The file is relative to the test file; `--update-snapshots` writes it.
   */
  toMatchRecording(file: string, options?: RecordingMatchOptions): Promise<void>
}

/** Matchers of a client. */
export type ClientMatchers = {
  /**
   * The server offers what a contract file says: tools, resources, templates and prompts with their definitions. The file
   * is relative to the test file; `--update-snapshots` writes it.
   */
  toMatchContract(file: string, options?: ContractOptions): Promise<void>
}

/** The matchers for a value of this type. */
export type McpMatchers<T> = T extends ToolResult
  ? ResultMatchers<void>
  : T extends Timeline
    ? TimelineMatchers
    : T extends McpClient
      ? ClientMatchers
      : T extends Promise<unknown>
        ? RequestMatchers
        : T extends () => Promise<unknown>
          ? RequestMatchers & DurationMatchers
          : object

type Assertion<T> = Expected<T> & McpMatchers<T> & { not: Expected<T>['not'] & McpMatchers<T> }

/** Playwright's `expect` with the matchers of MCP. */
export type McpExpect = {
  <T>(actual: T, messageOrOptions?: string | { message?: string }): Assertion<T>
  /** Goes on after a failure; the test fails at its end. */
  soft: <T>(actual: T, messageOrOptions?: string | { message?: string }) => Assertion<T>
  /** The same with another time limit or message. */
  configure: (configuration: Parameters<typeof base.configure>[0]) => McpExpect
} & Omit<typeof base, 'soft' | 'configure'>

/**
 * Playwright's `expect` with matchers for results, requests, the timeline and clients. A matcher takes a result at once, a
 * promise when it settles, and tries a function again until it passes. Each failure shows the frames.
 *
 * @example
 * ```ts
 * import { expect, test } from 'patchbay/test'
 *
 * test.use({ server: { command: 'node', args: ['server.js'] } })
 *
 * test('fails and succeeds', async ({ mcp }) => {
 *   await expect(mcp.callTool('add', { a: 1, b: 2 })).toSucceed()
 *   await expect(mcp.readResource('notes://missing')).toFailWith(-32602)
 *   await expect(() => mcp.callTool('add', { a: 1, b: 2 })).toStayWithin({ p95: 5_000, runs: 5 })
 * })
 * ```
 */
export const expect = base.extend({
  ...resultMatchers,
  ...timelineMatchers,
  ...durationMatcher,
  ...contractMatcher,
  ...recordingMatcher,
}) as unknown as McpExpect
