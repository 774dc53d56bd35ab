import { oc } from '@orpc/contract'
import { z } from 'zod'
import {
  questionKindSchema,
  responderLimitsSchema,
  responderRuleSchema,
  responderSettingsSchema,
} from '../../responders/settings.ts'
import { modelEndpointSchema } from '../../responders/models/endpoint.ts'

export type {
  ResponderLimits,
  ResponderRule,
  ResponderSettings,
  RuleKind,
} from '../../responders/settings.ts'
export type { ModelEndpoint } from '../../responders/models/endpoint.ts'

export const responderViewSchema = z.object({
  /** What is set for this server (or for all of them, if none was named). */
  own: responderSettingsSchema,
  /** What holds, with the settings for all servers and what is built in where nothing is set. */
  effective: z.object({
    rules: z.record(questionKindSchema, responderRuleSchema),
    limits: responderLimitsSchema,
  }),
})
export type ResponderView = z.infer<typeof responderViewSchema>

export const endpointViewSchema = z.object({
  endpoint: modelEndpointSchema,
  /** A key is in the secret store. It never leaves the host. */
  hasKey: z.boolean(),
})
export type EndpointView = z.infer<typeof endpointViewSchema>

export const endpointTestSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('answered'),
    /** What the model said to a few words, and which model it says it is. */
    text: z.string(),
    model: z.string(),
    durationMs: z.number(),
    tokens: z.number(),
  }),
  z.object({ state: z.literal('failed'), reason: z.string(), httpStatus: z.number().optional() }),
])
export type EndpointTest = z.infer<typeof endpointTestSchema>

/**
 * A script as it would run now. `hash` is what an approval is bound to: the file's path, its content, and that of all
 * files that it imports.
 */
export const scriptViewSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('readable'),
    /** Absolute. */
    file: z.string(),
    text: z.string(),
    /** The files that it imports, directly or not. */
    imports: z.array(z.object({ file: z.string(), text: z.string() })),
    /** The packages that it imports, which an approval does not cover; `file` is absolute. */
    packages: z.array(z.object({ name: z.string(), file: z.string() })),
    hash: z.string(),
    /** `file-only`: an earlier version approved it without what it imports. */
    approval: z.enum(['approved', 'needed', 'changed', 'file-only']),
    /** Why it does not run, if it does not. */
    reason: z.string().optional(),
  }),
  z.object({ state: z.literal('unreadable'), file: z.string(), reason: z.string() }),
])
export type ScriptView = z.infer<typeof scriptViewSchema>

export const responderUsageSchema = z.object({
  /** Tokens that models used up for the server today (UTC), and for its present connection. */
  tokensToday: z.number(),
  tokensOfConnection: z.number(),
  openQuestions: z.number(),
})
export type ResponderUsage = z.infer<typeof responderUsageSchema>

const server = z.object({ serverId: z.string().optional() })

export const respondersContract = {
  /** The settings of a server, or those for all servers if none is named. */
  settings: oc.input(server).output(responderViewSchema),
  /** Puts new settings in place of the old ones; they hold for the next question. */
  save: oc.input(server.extend({ settings: responderSettingsSchema })).output(responderViewSchema),
  usage: oc.input(z.object({ serverId: z.string() })).output(responderUsageSchema),
  endpoints: oc.output(z.array(endpointViewSchema)),
  /** Adds an endpoint, or changes the one with that id. `key`: a new key; `null` takes the stored one away. */
  saveEndpoint: oc
    .input(z.object({ endpoint: modelEndpointSchema, key: z.string().min(1).nullable().optional() }))
    .output(endpointViewSchema),
  /** Removes an endpoint and its key. Rules that name it fail with an error that says so. */
  removeEndpoint: oc.input(z.object({ id: z.string() })).output(z.object({ removed: z.literal(true) })),
  /** Asks for a few words. */
  testEndpoint: oc
    .input(z.object({ id: z.string(), model: z.string().optional() }))
    .output(endpointTestSchema),
  /** The names of the models that the endpoint says it has. */
  models: oc
    .input(z.object({ id: z.string() }))
    .output(
      z.discriminatedUnion('state', [
        z.object({ state: z.literal('listed'), models: z.array(z.string()) }),
        z.object({ state: z.literal('failed'), reason: z.string() }),
      ]),
    ),
  script: oc.input(z.object({ file: z.string().min(1) })).output(scriptViewSchema),
  /** Lets a script run as it was shown. Refuses with `APPROVAL_OUTDATED` if it is another by now. */
  approveScript: oc.input(z.object({ file: z.string().min(1), hash: z.string() })).output(scriptViewSchema),
}
