import { oc } from '@orpc/contract'
import { z } from 'zod'
import {
  recordingSettingsMembers,
  recordingSettingsSchema,
} from '../../recordings/store/recording-settings.ts'
import { exchangeSchema, frameSchema } from './traffic.ts'

const name = z.string().min(1).max(200)
const id = z.string().max(200)

const settingsChangeSchema = z.object(recordingSettingsMembers).partial()
export type RecordingSettingsChange = z.infer<typeof settingsChangeSchema>
export type RecordingSettingsData = z.infer<typeof recordingSettingsSchema>

export const storedRecordingSchema = z.object({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  side: z.enum(['client', 'server']),
  startedAt: z.number(),
  endedAt: z.number(),
  bytes: z.number(),
  isOpen: z.boolean(),
  /** The name by which the user keeps it. */
  name: z.string().optional(),
})

const openedSchema = z.object({
  startedAt: z.number(),
  endedAt: z.number(),
  frames: z.number(),
  bytes: z.number(),
  errors: z.number(),
  isClosed: z.boolean(),
  methods: z.array(z.object({ method: z.string(), count: z.number(), errors: z.number() })),
  notes: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('mark'),
        at: z.number(),
        name: z.string(),
        phase: z.enum(['begin', 'end']).optional(),
        check: z.string().optional(),
        verdict: z.string().optional(),
        text: z.string().optional(),
      }),
      z.object({ type: z.literal('comment'), at: z.number(), text: z.string() }),
      z.object({
        type: z.literal('gap'),
        from: z.number(),
        until: z.number(),
        frames: z.number(),
        bytes: z.number(),
      }),
    ]),
  ),
  /** What cannot be shown of it, in words. */
  problems: z.array(z.string()),
})

const filterSchema = z.object({
  methods: z.array(z.string()).optional(),
  target: z.string().optional(),
  errors: z.boolean().optional(),
  from: z.number().optional(),
  /** Only what began before that time. */
  until: z.number().optional(),
  text: z.string().max(1_000).optional(),
})

const cursorSchema = z.record(z.string(), z.number())

export const rowsInputSchema = z.object({
  /** A recording; all of them, by time, if it is missing. */
  id: id.optional(),
  filter: filterSchema.default({}),
  limit: z.int().min(1).max(1_000).default(200),
  cursor: cursorSchema.optional(),
})
export const framesInputSchema = z.object({
  id,
  numbers: z.array(z.int().min(0)).max(1_000),
  whole: z.boolean().optional(),
})

/** The recordings of the profile. */
export const recordingsContract = {
  list: oc.output(z.array(storedRecordingSchema)),
  settings: oc.output(recordingSettingsSchema),
  saveSettings: oc.input(settingsChangeSchema).output(recordingSettingsSchema),
  /** What a recording has as a whole. */
  open: oc.input(z.object({ id })).output(openedSchema),
  /** The newest rows that match, in time order; `next` is the cursor of older ones. */
  rows: oc.input(rowsInputSchema).output(
    z.object({
      rows: z.array(exchangeSchema.extend({ recording: z.string() })),
      next: cursorSchema.optional(),
    }),
  ),
  /** Frames of a recording, by the numbers that its rows have. */
  frames: oc.input(framesInputSchema).output(z.object({ frames: z.array(frameSchema), dropped: z.number() })),
  /** Keeps a recording by a name: in the workspace as a file, and in the profile for as long as it is not deleted. */
  keep: oc.input(z.object({ id, name })).output(z.object({ file: z.string() })),
  delete: oc.input(z.object({ id })).output(z.object({ deleted: z.literal(true) })),
}
