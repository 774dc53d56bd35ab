import { LIST_KINDS, LIST_NAMES } from '../../protocol/list-kind.ts'
import { oc } from '@orpc/contract'
import { z } from 'zod'
import { failureSchema } from './servers.ts'

/** What a server tells changes of: the kind `resources` holds resources and resource templates. */
export const listKindSchema = z.enum(LIST_KINDS)

/** The lists by name, templates apart from resources. */
export const listNameSchema = z.enum(LIST_NAMES)

/** One entry of a list as the server sent it; a malformed one keeps its reason and harms no other. */
export const listedSchema = z.object({
  value: z.unknown(),
  name: z.string(),
  malformed: z.string().optional(),
})
export type Listed = z.infer<typeof listedSchema>

export const listsSchema = z.object({
  tools: z.array(listedSchema),
  resources: z.array(listedSchema),
  resourceTemplates: z.array(listedSchema),
  prompts: z.array(listedSchema),
  /** Lists the server declared and could not give, with the error, and what is odd about others without harm. */
  problems: z.array(
    z.object({
      list: z.string(),
      message: z.string(),
      code: z.number().optional(),
      isHarmless: z.boolean().optional(),
    }),
  ),
  /** Lists of which a first page was read and there are more; the id goes on with that reading. */
  more: z.array(z.object({ list: listNameSchema, readingId: z.string() })).optional(),
})
export type Lists = z.infer<typeof listsSchema>

/** One more page of a list. */
export const nextPageSchema = z.object({
  list: listNameSchema,
  entries: z.array(listedSchema),
  hasMore: z.boolean(),
  /** The server had forgotten where the reading was: this page is the first again, and the others are void. */
  isRestarted: z.boolean(),
  problems: listsSchema.shape.problems,
})
export type NextPage = z.infer<typeof nextPageSchema>

/** How the structured result of a tool stands to its output schema. */
export const outputCheckSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('no-schema') }),
  z.object({ state: z.literal('matches') }),
  z.object({
    state: z.literal('differs'),
    findings: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
  z.object({ state: z.literal('not-checked'), reason: z.string() }),
])
export type OutputCheck = z.infer<typeof outputCheckSchema>

const facts = {
  exchangeId: z.string().optional(),
  durationMs: z.number(),
  /** How much of that the server waited for answers to its own questions. */
  waitedMs: z.number().optional(),
  /** How many fault rules were on; only of the server of this app. */
  faults: z.number().optional(),
  revision: z.string(),
}

export const requestOutcomeSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('result'),
    ...facts,
    /** The whole answer as it came, as text: numbers beyond 2^53 are still exact in it. */
    messageText: z.string(),
    bytes: z.number(),
    outputCheck: outputCheckSchema,
  }),
  /** The call goes on as a task of the server. */
  z.object({
    type: z.literal('task'),
    ...facts,
    messageText: z.string(),
    bytes: z.number(),
    taskId: z.string(),
  }),
  z.object({
    type: z.literal('error'),
    ...facts,
    messageText: z.string(),
    bytes: z.number(),
    code: z.number(),
    message: z.string(),
    data: z.unknown().optional(),
  }),
  /** No answer: cancelled, timed out, connection lost. */
  z.object({
    type: z.literal('failure'),
    ...facts,
    code: z.string(),
    message: z.string(),
    /** Why the connection was lost, if it was. */
    connection: failureSchema.optional(),
  }),
])
export type RequestOutcome = z.infer<typeof requestOutcomeSchema>

const call = {
  callId: z.string(),
  /** When it was sent, in milliseconds since 1970. */
  at: z.number(),
  /** What was typed, as JSON text. */
  argumentsText: z.string(),
}
export const runningCallSchema = z.object(call)
export type RunningCall = z.infer<typeof runningCallSchema>

export const endedCallSchema = z.object({
  ...call,
  outcome: requestOutcomeSchema,
  /** It was sent before Patchbay was started last. */
  isEarlier: z.literal(true).exactOptional(),
})
export type EndedCall = z.infer<typeof endedCallSchema>

export const inspectContract = {
  /**
   * The lists of the kinds that are named, else of all; a list that was not asked for comes empty. The server is asked
   * only for those that the host does not have from this connection, or that changed since. `isPaged`: the first page
   * of each list alone, and the further pages that were read already.
   */
  lists: oc
    .input(
      z.object({
        serverId: z.string(),
        kinds: z.array(listKindSchema).min(1).optional(),
        isPaged: z.boolean().optional(),
      }),
    )
    .output(listsSchema),
  /** Marks all lists of a server as out of date, so that every page reads them from the server again. */
  refreshLists: oc.input(z.object({ serverId: z.string() })).output(z.object({ refreshed: z.literal(true) })),
  /** The next page of a list that is read page by page. */
  nextPage: oc.input(z.object({ serverId: z.string(), readingId: z.string() })).output(nextPageSchema),
  /**
   * Sends one request on an open connection. `paramsText` is JSON text and is put on the wire with every
   * number as it was typed. Resolves with whatever became of it; throws only if there is no such connection
   * or the text is not a JSON object. The request goes on if the caller goes away: `calls` and `outcome` find it.
   */
  request: oc
    .input(
      z.object({
        serverId: z.string(),
        /** Chosen by the page, so that it can cancel and recognise progress. */
        callId: z.string().min(1).max(64),
        method: z.string().min(1),
        paramsText: z.string(),
        timeoutMs: z.number().int().positive().optional(),
        /** The tab that shows the call. Calls of tabs are kept after they ended. */
        tab: z.string().max(100_000).optional(),
        /** What was typed in the tab, to restore it with the call. */
        argumentsText: z.string().optional(),
      }),
    )
    .output(requestOutcomeSchema),
  /** The calls of a tab: those that are running, oldest first, and the last that ended, newest first. */
  calls: oc
    .input(z.object({ tab: z.string() }))
    .output(z.object({ running: z.array(runningCallSchema), ended: z.array(endedCallSchema) })),
  /** Waits for the outcome of a call. Throws `NOT_FOUND` if it is neither running nor kept. */
  outcome: oc.input(z.object({ callId: z.string() })).output(requestOutcomeSchema),
  cancel: oc.input(z.object({ callId: z.string() })).output(z.object({ cancelled: z.boolean() })),
}

export const progressSchema = z.object({
  callId: z.string(),
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
})
