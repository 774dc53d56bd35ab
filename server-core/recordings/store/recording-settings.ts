import { z } from 'zod'

const name = z.string().min(1).max(200)

/** What else is masked before it is written, beside the secrets that are known. */
export const redactionRuleSchema = z.discriminatedUnion('type', [
  /** The value of an HTTP header, whatever its case. */
  z.object({ type: z.literal('header'), name }),
  /** The value of every member of that name in a message, whatever its case. */
  z.object({ type: z.literal('key'), name }),
  /** The value at a place in a message: names and indexes with dots between them, `*` for any. */
  z.object({ type: z.literal('path'), path: z.string().min(1).max(1_000) }),
  /** What matches a regular expression, anywhere. */
  z.object({ type: z.literal('pattern'), pattern: z.string().min(1).max(1_000) }),
])
export type RedactionRule = z.infer<typeof redactionRuleSchema>

/** The members of the settings, for changes of some of them. */
export const recordingSettingsMembers = {
  on: z.boolean(),
  /** Bytes of all recordings that are not kept. */
  bytes: z.int().min(1024 * 1024),
  days: z.number().min(1).max(10_000),
  /** Ids of servers that are not recorded. */
  except: z.array(z.string()),
  redact: z.array(redactionRuleSchema).max(100),
  /** The address of an OTLP collector that gets spans of calls; nothing is sent if it is empty. */
  otlp: z.string().max(2_000),
}

/** What is recorded and for how long, as it is stored: what is missing is as usual. */
export const recordingSettingsSchema = z.object({
  on: recordingSettingsMembers.on.default(true),
  bytes: recordingSettingsMembers.bytes.default(1024 * 1024 * 1024),
  days: recordingSettingsMembers.days.default(30),
  except: recordingSettingsMembers.except.default([]),
  redact: recordingSettingsMembers.redact.default([]),
  otlp: recordingSettingsMembers.otlp.default(''),
})
