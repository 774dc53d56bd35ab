import { z } from 'zod'

/** What a server may ask of a client (client features: sampling, elicitation in its two modes, roots). */
export const questionKindSchema = z.enum(['sampling', 'elicitation-form', 'elicitation-url', 'roots'])
export type QuestionKind = z.infer<typeof questionKindSchema>

/** Milliseconds of the longest timer there is. */
const LONGEST_MS = 2_147_483_647

/** An answer is shown to a person before it goes out, who may change it. */
const review = z.boolean().optional()

const fixedRuleSchema = z.object({
  kind: z.literal('fixed'),
  /** The bare result, as it goes on the wire. */
  result: z.record(z.string(), z.unknown()),
})

const templateRuleSchema = z.object({
  kind: z.literal('template'),
  /** JSON in whose texts `{{path}}` stands for a member of the question. */
  template: z.record(z.string(), z.unknown()),
  review,
})

const scriptRuleSchema = z.object({
  kind: z.literal('script'),
  /** Absolute path of a module that exports a function as its default. It runs only as the user approved it. */
  file: z.string().min(1),
  /** Milliseconds for one answer, loading included; 10,000. */
  timeoutMs: z.number().int().min(1).max(LONGEST_MS).optional(),
  review,
})

const modelRuleSchema = z.object({
  kind: z.literal('model'),
  endpointId: z.string().min(1),
  /** Whatever the server prefers; otherwise its hints choose among the models of the endpoint. */
  model: z.string().min(1).optional(),
  /** Tokens of an answer at most, whatever more the server asks for. */
  maxTokens: z.number().int().min(1).optional(),
  review,
})

const waitRuleSchema = z.object({
  kind: z.literal('wait'),
  ms: z.number().int().min(0).max(LONGEST_MS),
  /** What answers then. */
  get then(): typeof responderRuleSchema {
    return responderRuleSchema
  },
})

/** Who answers a question of a server, and how. */
export const responderRuleSchema = z.discriminatedUnion('kind', [
  /** It waits in the inbox. */
  z.object({ kind: z.literal('people') }),
  fixedRuleSchema,
  templateRuleSchema,
  scriptRuleSchema,
  modelRuleSchema,
  z.object({ kind: z.literal('decline') }),
  waitRuleSchema,
  /** It is left without an answer, until the server gives up. */
  z.object({ kind: z.literal('never') }),
])
export type ResponderRule = z.infer<typeof responderRuleSchema>

export const ruleKindSchema = z.enum([
  'people',
  'fixed',
  'template',
  'script',
  'model',
  'decline',
  'wait',
  'never',
] satisfies ResponderRule['kind'][])
export type RuleKind = z.infer<typeof ruleKindSchema>

export const responderLimitsSchema = z.object({
  /** Questions of one server within a minute; more are refused. */
  questionsPerMinute: z.number().int().min(1).max(1_000_000).default(120),
  /** Questions of one server that may be open; more are refused. */
  openQuestions: z.number().int().min(1).max(1_000).default(20),
  /** Milliseconds that a question waits for a person; 0 is for ever. */
  deadlineMs: z.number().int().min(0).max(LONGEST_MS).default(600_000),
  /** Tokens, of questions and answers together, that models may use up for one server on one day (UTC). */
  tokensPerDay: z.number().int().min(0).default(1_000_000),
  /** The same for one connection. */
  tokensPerConnection: z.number().int().min(0).default(200_000),
})
export type ResponderLimits = z.infer<typeof responderLimitsSchema>

/** What is set for one server, or for all of them: what is missing has the value of the next wider place. */
export const responderSettingsSchema = z.object({
  rules: z.partialRecord(questionKindSchema, responderRuleSchema).default({}),
  limits: z
    .object({
      questionsPerMinute: responderLimitsSchema.shape.questionsPerMinute.unwrap().optional(),
      openQuestions: responderLimitsSchema.shape.openQuestions.unwrap().optional(),
      deadlineMs: responderLimitsSchema.shape.deadlineMs.unwrap().optional(),
      tokensPerDay: responderLimitsSchema.shape.tokensPerDay.unwrap().optional(),
      tokensPerConnection: responderLimitsSchema.shape.tokensPerConnection.unwrap().optional(),
    })
    .default({}),
})
export type ResponderSettings = z.infer<typeof responderSettingsSchema>

/** Settings without a gap: every kind of question has its rule. */
export type EffectiveSettings = {
  readonly rules: Readonly<Record<QuestionKind, ResponderRule>>
  readonly limits: ResponderLimits
}

const BUILT_IN_RULES: Readonly<Record<QuestionKind, ResponderRule>> = {
  sampling: { kind: 'people' },
  'elicitation-form': { kind: 'people' },
  'elicitation-url': { kind: 'people' },
  // Many servers ask for roots with every connection; no folder is shared before the user says so.
  roots: { kind: 'fixed', result: { roots: [] } },
}

/** The settings that hold for a server: its own first, then those for all, then what is built in. */
export function effectiveSettings(
  own: ResponderSettings | undefined,
  defaults: ResponderSettings | undefined,
): EffectiveSettings {
  const limits = { ...withoutGaps(defaults?.limits), ...withoutGaps(own?.limits) }
  return {
    rules: { ...BUILT_IN_RULES, ...withoutGaps(defaults?.rules), ...withoutGaps(own?.rules) },
    limits: responderLimitsSchema.parse(limits),
  }
}

/** A member that exists and is undefined would hide the default. */
function withoutGaps<T extends object>(given: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
