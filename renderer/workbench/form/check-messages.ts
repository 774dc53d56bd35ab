import type { Check } from './check-arguments.ts'

/** What the page sends to the worker. A worker keeps the schemas that it was sent. */
export type CheckRequest = {
  readonly id: number
  readonly schemaId: number
  /** The schema as JSON, with the first request that needs it. */
  readonly schemaText?: string
  readonly text: string
}

/** What the worker sends: `started` before it does what a schema could make slow. */
export type CheckReply =
  | { readonly type: 'started'; readonly id: number }
  | { readonly type: 'checked'; readonly id: number; readonly check: Check }
