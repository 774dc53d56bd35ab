import type { JsonSchema } from '../protocol/json.ts'

/** The dialects of JSON Schema that are checked. */
export type CheckDialect = '2020-12' | '2019-09' | 'draft-07'

/** What is checked. */
export type CheckRequest = {
  readonly dialect: CheckDialect
  readonly schema: JsonSchema
  readonly value: unknown
  /** Reports every fault; otherwise the first one. */
  readonly allFaults: boolean
}

/** One place in which a value breaks its schema, as the validator reports it. */
export type CheckFault = {
  /** JSON Pointer into the value. */
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

export type CheckOutcome =
  | { readonly type: 'checked'; readonly faults: readonly CheckFault[] }
  /** The schema cannot be used: an unresolved `$ref`, a wrong keyword, … */
  | { readonly type: 'unusable'; readonly reason: string }

/** From the host to the Worker. `schemaId` is the same for the same schema object. */
export type ToWorker = CheckRequest & { readonly id: number; readonly schemaId: number }

/** From the Worker to the host. `started`: the check begins, and its time is counted from here. */
export type FromWorker =
  | { readonly type: 'started'; readonly id: number }
  | { readonly type: 'done'; readonly id: number; readonly outcome: CheckOutcome }
