import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'

/** What a server tells changes of: the kind `resources` holds resources and resource templates. */
export const listKindSchema = z.enum(['tools', 'resources', 'prompts'])
export type ListKind = z.infer<typeof listKindSchema>

/** The lists by name, templates apart from resources. */
export const listNameSchema = z.enum(['tools', 'resources', 'resourceTemplates', 'prompts'])
export type ListName = z.infer<typeof listNameSchema>

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
  }),
])
export type RequestOutcome = z.infer<typeof requestOutcomeSchema>

/** Whether changes of a resource are told just now, as `resourcesUpdated` in the batches of `events.watch`. */
export const resourceWatchSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('watching') }),
  /** The server does not declare subscriptions. */
  z.object({ state: z.literal('not-offered') }),
  z.object({ state: z.literal('refused'), reason: z.string() }),
  z.object({ state: z.literal('not-connected') }),
  /** The user ended it. */
  z.object({ state: z.literal('unsubscribed') }),
])
export type ResourceWatch = z.infer<typeof resourceWatchSchema>

export const inspectContract = {
  /**
   * The lists of the kinds that are named, else of all; a list that was not asked for comes empty. `isPaged`: of each
   * list its first page alone.
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
  /** The next page of a list that is read page by page. */
  nextPage: oc.input(z.object({ serverId: z.string(), readingId: z.string() })).output(nextPageSchema),
  /**
   * Sends one request on an open connection. `paramsText` is JSON text and is put on the wire with every
   * number as it was typed. Resolves with whatever became of it; throws only if there is no such connection
   * or the text is no JSON object.
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
      }),
    )
    .output(requestOutcomeSchema),
  /**
   * Asks the server to tell when a resource changes, for as long as somebody takes these states; made again on the
   * next connection.
   */
  watchResource: oc
    .input(z.object({ serverId: z.string(), uri: z.string().min(1) }))
    .output(eventIterator(resourceWatchSchema)),
  cancel: oc.input(z.object({ callId: z.string() })).output(z.object({ cancelled: z.boolean() })),
}

export const progressSchema = z.object({
  callId: z.string(),
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
})
