import { z } from 'zod'
import { conditionsSchema } from '../conditions/conditions-schema.ts'

/** Milliseconds of the longest delay, and of the longest time that a message is held. */
const LONGEST_MS = 3_600_000
const MOST_RULES = 1_000
const MOST_OPERATIONS = 1_000

const pointer = z
  .string()
  .max(1_000)
  .regex(/^(?:\/(?:[^~/]|~0|~1)*)*$/, 'expected a JSON pointer, such as /params/name')

/** Which way a message goes. */
export const directionSchema = z.enum(['to-server', 'to-client'])
export type Direction = z.infer<typeof directionSchema>

/** What a rule applies to. What is missing means anything. */
const matchSchema = z.strictObject({
  direction: directionSchema.optional(),
  kind: z.enum(['request', 'response', 'error', 'notification', 'invalid']).optional(),
  /** The method; of an answer, that of its request. `*` stands for any characters. */
  method: z.string().min(1).max(200).optional(),
  /** The tool, prompt or URI that is asked for, with `*`. */
  target: z.string().min(1).max(1_000).optional(),
  /** A member of the message, which has this value or just exists. */
  path: z.strictObject({ pointer, equals: z.unknown().optional() }).optional(),
  /** A regular expression that the text of the message matches. */
  pattern: z.string().min(1).max(1_000).optional(),
  /** So many matching messages pass first. */
  after: z.int().min(0).max(1_000_000).optional(),
  /** At most so many messages. */
  times: z.int().min(1).max(1_000_000).optional(),
  /** The chance at each matching message, from 0 to 1, drawn from the seed. */
  probability: z.number().min(0).max(1).optional(),
})
export type RuleMatch = z.infer<typeof matchSchema>

/** An operation of JSON Patch (RFC 6902). */
const operationSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), path: pointer, value: z.unknown() }),
  z.strictObject({ op: z.literal('remove'), path: pointer }),
  z.strictObject({ op: z.literal('replace'), path: pointer, value: z.unknown() }),
  z.strictObject({ op: z.literal('move'), from: pointer, path: pointer }),
  z.strictObject({ op: z.literal('copy'), from: pointer, path: pointer }),
  z.strictObject({ op: z.literal('test'), path: pointer, value: z.unknown() }),
])
export type PatchOperation = z.infer<typeof operationSchema>

const object = z.record(z.string(), z.unknown())
const ms = z.int().min(0).max(LONGEST_MS)

/** What is done with a message. */
const actionSchema = z.discriminatedUnion('type', [
  /** Waits for somebody in the app, at most for so long. */
  z.strictObject({
    type: z.literal('hold'),
    seconds: z.number().min(0.1).max(3_600).default(60),
    afterwards: z.enum(['forward', 'drop', 'error']).default('forward'),
  }),
  z.strictObject({ type: z.literal('rewrite'), patch: z.array(operationSchema).min(1).max(MOST_OPERATIONS) }),
  /** The whole message, with `{{params.name}}` for members of the one that came. */
  z.strictObject({ type: z.literal('template'), message: object }),
  /** Answers a request in place of the other side. */
  z.strictObject({ type: z.literal('answer'), result: object.optional(), error: object.optional() }),
  z.strictObject({ type: z.literal('delay'), ms: ms.default(1_000), jitterMs: ms.default(0) }),
  z.strictObject({ type: z.literal('drop') }),
  z.strictObject({ type: z.literal('duplicate'), copies: z.int().min(2).max(100).default(2) }),
  z.strictObject({
    type: z.literal('fault'),
    how: z.enum(['truncate', 'not-json', 'invalid-utf8', 'wrong-id', 'close']),
  }),
  /** Forwards it unchanged, so that no later rule applies. */
  z.strictObject({ type: z.literal('pass') }),
])
export type RuleAction = z.infer<typeof actionSchema>

export const tapRuleSchema = z.strictObject({
  /** Names the rule; its chances are drawn by it. */
  id: z.string().min(1).max(64),
  enabled: z.boolean().default(true),
  match: matchSchema.default({}),
  action: actionSchema,
})
export type TapRule = z.infer<typeof tapRuleSchema>

/** The rules of a tap: the file of `--rules`. */
export const tapRulesSchema = z
  .strictObject({
    $schema: z.string().optional(),
    /** The same seed makes the same draws. */
    seed: z.int().min(0).max(0xffff_ffff).default(0x5eed),
    /** All rules and conditions at once. */
    on: z.boolean().default(true),
    /** In order: the first that matches applies. */
    rules: z.array(tapRuleSchema).max(MOST_RULES).default([]),
    conditions: conditionsSchema.default({}),
  })
  .superRefine(({ rules }, context) => {
    const ids = new Set<string>()
    for (const [index, { id, action }] of rules.entries()) {
      if (ids.has(id))
        context.addIssue({ code: 'custom', path: ['rules', index, 'id'], message: `"${id}" is used twice` })
      ids.add(id)
      if (action.type === 'answer' && (action.result === undefined) === (action.error === undefined))
        context.addIssue({
          code: 'custom',
          path: ['rules', index, 'action'],
          message: 'expected result or error',
        })
    }
  })
export type TapRules = z.infer<typeof tapRulesSchema>
