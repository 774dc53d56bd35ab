import type { JsonObject } from '../../protocol/json.ts'
import type { Cell } from '../verdict.ts'

/** What discovery learned of a server in one cell. */
export type ServerFacts = {
  readonly cell: Cell
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject | undefined
  readonly instructions: unknown
  readonly tools: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
  /** The result of initialize or server/discover. */
  readonly opening: JsonObject
  /** A session id was issued (legacy Streamable HTTP). */
  readonly hasSession: boolean
  /** Milliseconds that three barriers took. */
  readonly threeBarriersMs: number
}
