import { z } from 'zod'

/** Milliseconds of the longest delay that an answer may have. */
const LONGEST_DELAY_MS = 600_000
/** Milliseconds of the longest time that a script may take. */
const LONGEST_SCRIPT_MS = 600_000
/** Characters of a script in the entry itself. */
const LONGEST_CODE = 65_536

const record = z.record(z.string(), z.unknown())

/** Milliseconds before the answer goes out. */
const delayMs = z.number().int().min(0).max(LONGEST_DELAY_MS).optional()
/** Milliseconds for one answer, starting the script's process included; 10,000 if not given. */
const timeoutMs = z.number().int().min(1).max(LONGEST_SCRIPT_MS).optional()

/**
 * What answers a call without code of a workspace. `result` is the bare result as it goes on the wire: `content`,
 * `structuredContent`, `isError` of a tool (any other object is its structured content), `contents` of a resource (or
 * `text` or `blob` alone), `messages` of a prompt.
 */
export const answerSchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('fixed'), result: record, delayMs }),
  /** A result in whose texts `{{arguments.city}}`, `{{uri}}`, `{{variables.id}}` stand for members of the call. */
  z.looseObject({ kind: z.literal('template'), template: record, delayMs }),
  /** A module of the workspace, by its path there with `/`, whose default export is called with the call. */
  z.looseObject({ kind: z.literal('script'), file: z.string().min(1).max(4_096), timeoutMs, delayMs }),
  /** The text of such a module, in JavaScript. */
  z.looseObject({ kind: z.literal('code'), code: z.string().min(1).max(LONGEST_CODE), timeoutMs, delayMs }),
  /** An error of JSON-RPC in place of a result. */
  z.looseObject({
    kind: z.literal('error'),
    code: z.number().int(),
    message: z.string(),
    data: z.unknown().optional(),
    delayMs,
  }),
])
export type Answer = z.infer<typeof answerSchema>

const described = {
  title: z.string().optional(),
  description: z.string().optional(),
  answer: answerSchema,
}

const toolSchema = z.looseObject({
  kind: z.literal('tool'),
  name: z.string().min(1),
  ...described,
  annotations: record.optional(),
  /** JSON Schema of the arguments; any object if not given. */
  inputSchema: record.optional(),
  /** JSON Schema of the structured content. */
  outputSchema: record.optional(),
})

const resourceSchema = z.looseObject({
  kind: z.literal('resource'),
  uri: z.string().min(1),
  name: z.string().min(1),
  ...described,
  mimeType: z.string().optional(),
  annotations: record.optional(),
})

const templateSchema = z.looseObject({
  kind: z.literal('template'),
  /** RFC 6570, as far as MCP templates go. */
  uriTemplate: z.string().min(1),
  name: z.string().min(1),
  ...described,
  mimeType: z.string().optional(),
  annotations: record.optional(),
})

const promptSchema = z.looseObject({
  kind: z.literal('prompt'),
  name: z.string().min(1),
  ...described,
  arguments: z
    .array(
      z.looseObject({
        name: z.string().min(1),
        title: z.string().optional(),
        description: z.string().optional(),
        required: z.boolean().optional(),
      }),
    )
    .optional(),
})

/** An entry of the server that somebody drew instead of programming it, as `patchbay.json` keeps it. */
export const mockEntrySchema = z.discriminatedUnion('kind', [
  toolSchema,
  resourceSchema,
  templateSchema,
  promptSchema,
])
export type MockEntry = z.infer<typeof mockEntrySchema>

/** Member `mocks` of `patchbay.json`. */
export const mockEntriesSchema = z.array(mockEntrySchema).max(10_000)

/** Our own answer to one tool of another source, whose name, description and schemas stay as they are. */
export const overrideSchema = z.looseObject({
  /** `tool:` and the name that the tool has with its source's prefix, before it was renamed. */
  key: z.string().startsWith('tool:').min(6),
  /** False: the tool itself answers again; the answer is kept. */
  enabled: z.boolean().default(true),
  answer: answerSchema,
  /** What the answer was made of when it was new. */
  seededFrom: z.enum(['last-result', 'output-schema', 'nothing']).optional(),
})
export type Override = z.infer<typeof overrideSchema>

/** Member `overrides` of `patchbay.json`; one for each key. */
export const overridesSchema = z.array(overrideSchema).max(10_000)

/** The key that entries go by everywhere: `tool:NAME`, `resource:URI`, `template:TEMPLATE`, `prompt:NAME`. */
export function keyOfEntry(entry: MockEntry): string {
  switch (entry.kind) {
    case 'tool':
    case 'prompt':
      return `${entry.kind}:${entry.name}`
    case 'resource':
      return `resource:${entry.uri}`
    case 'template':
      return `template:${entry.uriTemplate}`
  }
}
