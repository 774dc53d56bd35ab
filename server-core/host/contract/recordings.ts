import { oc } from '@orpc/contract'
import { z } from 'zod'
import {
  recordingSettingsMembers,
  recordingSettingsSchema,
} from '../../recordings/store/recording-settings.ts'
import { SUPPORTED } from '../../protocol/revisions.ts'
import { exchangeSchema, frameSchema } from './traffic.ts'

const name = z.string().min(1).max(200)
const id = z.string().max(200)

const settingsChangeSchema = z.object(recordingSettingsMembers).partial()
export type RecordingSettingsChange = z.infer<typeof settingsChangeSchema>
export type RecordingSettingsData = z.infer<typeof recordingSettingsSchema>

/** What rules mask in a recording, and what looks like a secret and stays. */
const redactionPreviewSchema = z.object({
  frames: z.int(),
  masked: z.int(),
  uncovered: z.array(z.object({ start: z.string(), length: z.int(), kind: z.string() })),
})
export type RedactionPreviewData = z.infer<typeof redactionPreviewSchema>

export const storedRecordingSchema = z.object({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  side: z.enum(['client', 'server']),
  startedAt: z.number(),
  endedAt: z.number(),
  bytes: z.number(),
  isOpen: z.boolean(),
  /** It came from a file. */
  imported: z.boolean().optional(),
  /** The name by which the user keeps it. */
  name: z.string().optional(),
})

/** What is only known of a recording once it was opened. */
const recordingFactsSchema = z.object({
  id: z.string(),
  frames: z.number(),
  errors: z.number(),
  /** The name of the client, if it introduced itself. */
  client: z.string().optional(),
  /** What cannot be shown of it, in words. */
  problems: z.array(z.string()),
})
export type StoredRecordingData = z.infer<typeof storedRecordingSchema>
export type RecordingFacts = z.infer<typeof recordingFactsSchema>

/** Formats of exported files, and how their names end. */
export const EXPORT_ENDINGS = {
  html: 'html',
  ndjson: 'ndjson',
  har: 'har',
  curl: 'sh',
  otlp: 'json',
} as const
export type ExportFormat = keyof typeof EXPORT_ENDINGS
const exportFormatSchema = z.enum(['html', 'ndjson', 'har', 'curl', 'otlp'])

/** Bytes of an imported file that are sent at once. */
export const IMPORT_PART_BYTES = 512 * 1024
/** The largest file that is imported. */
export const IMPORT_MOST_BYTES = 256 * 1024 * 1024

/** A mark, a comment or a gap of a recording. */
const recordingNoteSchema = z.discriminatedUnion('type', [
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
])
export type RecordingNoteData = z.infer<typeof recordingNoteSchema>

const openedSchema = z.object({
  startedAt: z.number(),
  endedAt: z.number(),
  frames: z.number(),
  bytes: z.number(),
  errors: z.number(),
  isClosed: z.boolean(),
  methods: z.array(z.object({ method: z.string(), count: z.number(), errors: z.number() })),
  notes: z.array(recordingNoteSchema),
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

/** Frames of a recording by their numbers, or frames of the timeline. */
const exchangeFramesSchema = z.object({
  recording: id.optional(),
  frames: z.array(z.int().min(0)).min(1).max(1_000),
})
export type ExchangeFrames = z.infer<typeof exchangeFramesSchema>

/** What a test is made of, and the server that it starts or connects to; without it, the configuration names it. */
export const testOfInputSchema = z.object({
  exchange: exchangeFramesSchema,
  server: z
    .union([
      z.object({ command: z.string().min(1).max(4_096), args: z.array(z.string().max(32_768)).max(1_000) }),
      z.object({ url: z.string().min(1).max(8_192) }),
      z.object({ workspace: z.string().min(1).max(4_096) }),
    ])
    .optional(),
  revision: z.enum(SUPPORTED).optional(),
  /** Where the exchange was seen, for the first comment. */
  source: z.string().min(1).max(300),
})
export type TestOfInput = z.input<typeof testOfInputSchema>

/** The name of a test file. */
export const testFileNameSchema = z
  .string()
  .max(200)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*\.(?:spec|test)\.[cm]?[jt]s$/u)

const comparingMembers = {
  /** Patterns of JSON pointers that are left out. */
  ignore: z.array(z.string().min(1).max(1_000)).max(200).default([]),
  /** Counts differences of times, identifiers and ports as changes. */
  exact: z.boolean().default(false),
}

/** A value as JSON, or its beginning. */
const shownValueSchema = z.object({ json: z.string(), truncated: z.boolean() })

const valueChangeSchema = z.object({
  kind: z.enum(['added', 'removed', 'changed', 'type', 'moved']),
  pointer: z.string(),
  /** Where something was that moved. */
  from: z.string().optional(),
  before: shownValueSchema.optional(),
  after: shownValueSchema.optional(),
})
export type ValueChange = z.infer<typeof valueChangeSchema>

const comparisonSchema = z.object({
  changes: z.array(valueChangeSchema),
  /** Changes beyond these. */
  more: z.number(),
  /** Differences that come from the run. */
  volatile: z.array(
    z.object({
      kind: z.enum(['time', 'id', 'port', 'connection', 'replaced']),
      pointer: z.string(),
      after: shownValueSchema.optional(),
    }),
  ),
  ignored: z.number(),
  /** Both values as JSON. */
  before: shownValueSchema,
  after: shownValueSchema,
})
export type ExchangeComparison = z.infer<typeof comparisonSchema>

const comparedSideSchema = z.object({ frames: z.array(z.number()), durationMs: z.number().optional() })
const comparedCallSchema = z.object({
  method: z.string(),
  target: z.string(),
  direction: z.enum(['sent', 'received']),
  moved: z.boolean(),
  changes: z.number(),
  volatile: z.number(),
  /** Missing if only the other recording has the call. */
  before: comparedSideSchema.optional(),
  after: comparedSideSchema.optional(),
})
export type ComparedCallData = z.infer<typeof comparedCallSchema>

export const compareExchangesInputSchema = z.object({
  before: exchangeFramesSchema,
  after: exchangeFramesSchema,
  ...comparingMembers,
})
export const compareRecordingsInputSchema = z.object({ before: id, after: id, ...comparingMembers })

const recordingsComparisonSchema = z.object({
  same: z.number(),
  changed: z.number(),
  moved: z.number(),
  onlyBefore: z.number(),
  onlyAfter: z.number(),
  /** The calls that differ, at most 2,000. */
  calls: z.array(comparedCallSchema),
  /** Calls that differ beyond these. */
  more: z.number(),
})
export type RecordingsComparison = z.infer<typeof recordingsComparisonSchema>

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
  /** Tries rules on the newest frames of a recording, which stays as it is. */
  previewRedaction: oc
    .input(z.object({ id, redact: recordingSettingsMembers.redact }))
    .output(redactionPreviewSchema),
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
  /** What is known of all recordings by opening each. */
  facts: oc.output(z.array(recordingFactsSchema)),
  /** Names a recording, which keeps it in the profile. */
  rename: oc.input(z.object({ id, name })).output(z.object({ name: z.string() })),
  /** Appends a comment about a moment to a recording that is closed. */
  comment: oc
    .input(z.object({ id, at: z.number(), text: z.string().min(1).max(4_000) }))
    .output(z.object({ at: z.number() })),
  /** Writes a new file into the folder of the workspace; `notes` says what the format left out. */
  export: oc
    .input(z.object({ id, format: exportFormatSchema }))
    .output(z.object({ file: z.string(), notes: z.array(z.string()) })),
  /** Adds bytes to a file that is imported. Parts come in order. */
  importPart: oc
    .input(
      z.object({
        upload: z.uuid(),
        offset: z.int().min(0),
        base64: z.base64().max(Math.ceil(IMPORT_PART_BYTES / 3) * 4),
      }),
    )
    .output(z.object({ bytes: z.number() })),
  /** Adds the file to the recordings, kept by the name of the file. Reading it runs and fetches nothing. */
  importEnd: oc
    .input(z.object({ upload: z.uuid(), fileName: name }))
    .output(z.object({ id: z.string(), problems: z.array(z.string()) })),
  /** Compares parameters and answers of two exchanges. */
  compareExchanges: oc.input(compareExchangesInputSchema).output(comparisonSchema),
  /** Makes the text of a test file from an exchange. */
  testOf: oc.input(testOfInputSchema).output(z.object({ text: z.string() })),
  /** Writes a new test file into the folder `tests` of the workspace. */
  saveTest: oc
    .input(z.object({ name: testFileNameSchema, text: z.string().min(1).max(8_000_000) }))
    .output(z.object({ file: z.string() })),
  /** Aligns the calls of two recordings and compares each pair. */
  compareRecordings: oc.input(compareRecordingsInputSchema).output(recordingsComparisonSchema),
  /** Keeps a recording by a name: in the workspace as a file, and in the profile for as long as it is not deleted. */
  keep: oc.input(z.object({ id, name })).output(z.object({ file: z.string() })),
  delete: oc.input(z.object({ id })).output(z.object({ deleted: z.literal(true) })),
}
