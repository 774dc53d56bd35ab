import { oc } from '@orpc/contract'
import { z } from 'zod'
import { answerSchema, mockEntrySchema, overrideSchema } from '../../mocks/mock-entry.ts'

export { keyOfEntry, type Answer, type MockEntry, type Override } from '../../mocks/mock-entry.ts'

/** The mocks and overrides of the embedded server. */
export const mocksStateSchema = z.object({
  entries: z.array(mockEntrySchema),
  overrides: z.array(overrideSchema),
  /** Why an entry or an override cannot be served as it is, by its key. */
  problems: z.array(z.object({ key: z.string(), message: z.string() })),
})
export type MocksState = z.infer<typeof mocksStateSchema>

/** What an override begins with. */
export const seedSchema = z.object({
  answer: answerSchema,
  /** The last real result of the tool, one made to its output schema, or an empty one. */
  seededFrom: z.enum(['last-result', 'output-schema', 'nothing']),
  /** When the result came that it was made of. */
  at: z.number().optional(),
})
export type Seed = z.infer<typeof seedSchema>

/** What an answer comes to. */
export const answerPreviewSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('answered'), resultText: z.string(), durationMs: z.number() }),
  z.object({ state: z.literal('error'), code: z.number(), message: z.string() }),
  z.object({ state: z.literal('failed'), reason: z.string() }),
])
export type AnswerPreview = z.infer<typeof answerPreviewSchema>

export const mocksContract = {
  state: oc.output(mocksStateSchema),
  /**
   * Adds an entry, or puts it in the place of the one with the key `replaces`. Refused, with the reason, if its schema
   * cannot be served or its key is taken.
   */
  save: oc
    .input(z.object({ entry: mockEntrySchema, replaces: z.string().optional() }))
    .output(mocksStateSchema),
  remove: oc.input(z.object({ key: z.string() })).output(mocksStateSchema),
  /** What to begin an override with; nothing is stored. */
  seed: oc.input(z.object({ key: z.string() })).output(seedSchema),
  /** Lays an answer over a tool of another source, or changes the one that is there. */
  saveOverride: oc.input(z.object({ override: overrideSchema })).output(mocksStateSchema),
  /** The tool itself answers again, and the answer is forgotten. */
  removeOverride: oc.input(z.object({ key: z.string() })).output(mocksStateSchema),
  /** Answers a call that nobody made: for looking at an answer while it is written. Delays are left out. */
  preview: oc
    .input(z.object({ answer: answerSchema, call: z.record(z.string(), z.unknown()) }))
    .output(answerPreviewSchema),
}
