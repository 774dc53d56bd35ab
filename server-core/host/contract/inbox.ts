import { oc } from '@orpc/contract'
import { z } from 'zod'
import { questionKindSchema, responderRuleSchema, ruleKindSchema } from '../../responders/settings.ts'

export { questionKindSchema, type QuestionKind } from '../../responders/settings.ts'

/** What became of a question. */
export const inboxStateSchema = z.discriminatedUnion('type', [
  /** It waits: for a person, or for the rule that is at it. */
  z.object({
    type: z.literal('open'),
    waitsFor: z.enum(['person', 'rule']),
    /** A rule has an answer ready, which a person may look at, change and send. */
    proposed: z.boolean(),
  }),
  z.object({
    type: z.literal('answered'),
    at: z.number(),
    by: z.enum(['person', 'rule']),
    outcome: z.enum(['result', 'error']),
    /** In a few words: "accept", "decline", "42 characters from claude-…", "error -1: …". */
    summary: z.string(),
  }),
  /** Rejected before any person or rule saw it: too many pending questions. The server received an error. */
  z.object({ type: z.literal('refused'), at: z.number(), reason: z.string() }),
  /** The server took it back. */
  z.object({ type: z.literal('withdrawn'), at: z.number(), reason: z.string().optional() }),
  /** Nobody answered before the deadline; the server received an error. */
  z.object({ type: z.literal('expired'), at: z.number() }),
  /** The connection ended first, or the call it belongs to. */
  z.object({ type: z.literal('connection-ended'), at: z.number() }),
])
export type InboxState = z.infer<typeof inboxStateSchema>

/** One question of a server. Texts are safe to show; what it asks in full is in `question`. */
export const inboxEntrySchema = z.object({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  /** Its row of the timeline, if that is known: inside the row of the call that it belongs to. */
  exchangeId: z.string().optional(),
  kind: questionKindSchema,
  method: z.string(),
  revision: z.string(),
  /**
   * How it came: as a request; inside a result that asks for input (2026-07-28); or as an error that wants an address
   * visited before the call is made again (2025-11-25, -32042), where no answer is sent.
   */
  source: z.enum(['request', 'input-required', 'url-required-error']),
  /** The server's message, or the first words of what a model is asked; at most 200 characters. */
  title: z.string(),
  /** Which rule it came under; `people` from the start, or after a `wait`. */
  rule: ruleKindSchema,
  /** The call of a page (`inspect.request`) that failed for lack of it, and is to be made again once it is done. */
  callId: z.string().optional(),
  /** Length of the message that it came in. */
  bytes: z.number(),
  at: z.number(),
  /** When Patchbay stops waiting for a person, in milliseconds since 1970; missing if it waits without limit. */
  deadline: z.number().optional(),
  /** How long the server waited for an earlier question before it timed out; known after the first time-out. */
  serverTimeoutMs: z.number().optional(),
  state: inboxStateSchema,
  /** Elicitation in URL mode: when a person had it opened, and when the server said that it is done. */
  url: z.object({ openedAt: z.number().optional(), completedAt: z.number().optional() }).optional(),
  /** Why its rule could give no answer, in words for the user. The server heard less. */
  failure: z.string().optional(),
})
export type InboxEntry = z.infer<typeof inboxEntrySchema>

/** An entry with everything in it. JSON comes as text, with every number as it was written. */
export const inboxQuestionSchema = z.object({
  entry: inboxEntrySchema,
  paramsText: z.string(),
  /** The answer that a rule has ready: the bare result. */
  proposalText: z.string().optional(),
  /** What was answered: `{ "result": … }` or `{ "error": … }`. */
  answerText: z.string().optional(),
})
export type InboxQuestion = z.infer<typeof inboxQuestionSchema>

export const answerFindingSchema = z.object({
  /** Where in the result, as `content.city` or `roots[0].uri`; empty for the whole. */
  path: z.string(),
  message: z.string(),
})
export type AnswerFinding = z.infer<typeof answerFindingSchema>

export const givenAnswerSchema = z.discriminatedUnion('type', [
  /** The bare result as JSON text; an accepted form gets the schema's defaults for what it leaves out. */
  z.object({ type: z.literal('result'), resultText: z.string() }),
  z.object({
    type: z.literal('error'),
    code: z.number().int(),
    message: z.string(),
    dataText: z.string().optional(),
  }),
])
export type GivenAnswer = z.infer<typeof givenAnswerSchema>

export const answeredSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('sent'), entry: inboxEntrySchema }),
  /** It does not fit the question, and nothing was sent. */
  z.object({ state: z.literal('invalid'), findings: z.array(answerFindingSchema) }),
])
export type Answered = z.infer<typeof answeredSchema>

const id = z.object({ id: z.string() })

/**
 * Questions of the servers. The newest entries come in the batches of `events.watch` (`inbox`: all that are kept). Every
 * procedure refuses with `NOT_FOUND` an entry that is not kept any more, and those that answer with `NOT_OPEN` one that
 * is over.
 */
export const inboxContract = {
  /** All entries, oldest first: those that are open, and the last of those that are over. */
  list: oc.output(z.array(inboxEntrySchema)),
  question: oc.input(id).output(inboxQuestionSchema),
  /** What an answer is found fault with; empty if nothing. Sends nothing. */
  check: oc
    .input(z.object({ id: z.string(), resultText: z.string() }))
    .output(z.object({ findings: z.array(answerFindingSchema) })),
  /** `unchecked`: it is sent as it is, without defaults, whether it fits or not. */
  answer: oc
    .input(z.object({ id: z.string(), answer: givenAnswerSchema, unchecked: z.boolean().optional() }))
    .output(answeredSchema),
  /** A no: `decline` for an elicitation, the error of a person's no for everything else. */
  decline: oc.input(id).output(inboxEntrySchema),
  /** Neither yes nor no: `cancel` for an elicitation, for everything else as `decline`. */
  cancel: oc.input(id).output(inboxEntrySchema),
  /** Lets a rule make an answer, which is then proposed; the question stays open. */
  propose: oc
    .input(z.object({ id: z.string(), rule: responderRuleSchema }))
    .output(
      z.discriminatedUnion('state', [
        z.object({ state: z.literal('proposed'), proposalText: z.string() }),
        z.object({ state: z.literal('failed'), reason: z.string() }),
      ]),
    ),
  /**
   * Opens the address of an elicitation in URL mode in the user's browser, if it may be opened, and accepts the
   * elicitation then (unless `accept` is false). The page has shown the whole address before.
   */
  openUrl: oc
    .input(z.object({ id: z.string(), accept: z.boolean().optional() }))
    .output(
      z.discriminatedUnion('state', [
        z.object({ state: z.literal('opened'), entry: inboxEntrySchema }),
        z.object({ state: z.literal('refused'), reason: z.string() }),
      ]),
    ),
  /** Forgets what is over. */
  clear: oc.output(z.object({ cleared: z.literal(true) })),
}
