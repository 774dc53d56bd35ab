import { z } from 'zod'
import { messageOf } from '../protocol/error-message.ts'
import { stringifyExact } from '../protocol/exact-json.ts'
import type { Parsed } from '../protocol/parsed.ts'

/** The lists of a server that a lock holds. */
export const LOCK_KINDS = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const
export type LockKind = (typeof LOCK_KINDS)[number]

/** What names an entry of each list. */
export const LOCK_KEYS = {
  tools: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
  prompts: 'name',
} as const satisfies Readonly<Record<LockKind, string>>

const entrySchema = z.object({
  wire: z.string().describe('The hash of what programs read.'),
  prose: z.string().describe('The hash of what only people and models read: titles, descriptions, icons.'),
  definition: z.record(z.string(), z.unknown()).describe('The definition, as the server lists it.'),
})
const entriesSchema = z.record(z.string(), entrySchema)

export const lockSchema = z.object({
  $schema: z.string().optional(),
  format: z.literal('mcp-lock'),
  version: z.literal(1),
  tools: entriesSchema.default({}).describe('By name.'),
  resources: entriesSchema.default({}).describe('By URI.'),
  resourceTemplates: entriesSchema.default({}).describe('By URI template.'),
  prompts: entriesSchema.default({}).describe('By name.'),
})

/** What a server offers, as a file: `mcp.lock.json`. Its JSON Schema is docs/mcp-lock.schema.json. */
export type ContractLock = Readonly<
  { format: 'mcp-lock'; version: 1 } & Record<LockKind, Readonly<Record<string, LockEntry>>>
>

/** A definition with its hashes. */
export type LockEntry = Readonly<z.infer<typeof entrySchema>>

/** The JSON Schema (2020-12) of a lock. */
export function lockJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(lockSchema, { io: 'input' })
  return { title: 'Contract lock', description: 'What an MCP server offers: mcp.lock.json.', ...schema }
}

/** Reads the text of a lock. */
export function parseLock(text: string): Parsed<ContractLock> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { ok: false, reason: `it is not JSON: ${messageOf(error)}` }
  }
  const parsed = lockSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue?.path.join('.') ?? ''
    return { ok: false, reason: `it is not a contract lock: ${place}: ${issue?.message ?? ''}` }
  }
  const { format, version, tools, resources, resourceTemplates, prompts } = parsed.data
  return { ok: true, value: { format, version, tools, resources, resourceTemplates, prompts } }
}

/** The text of a lock's file. */
export function lockText(lock: ContractLock): string {
  return `${stringifyExact(lock, 2)}\n`
}
