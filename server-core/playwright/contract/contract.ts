import { createHash } from 'node:crypto'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { McpClient } from '../connection/mcp-client.ts'
import { TestSetupError } from '../test-error.ts'

const KINDS = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const
export type ContractKind = (typeof KINDS)[number]

/** A definition, with the hash of what programs read and the hash of what people and models read. */
export type ContractEntry = { readonly wire: string; readonly prose: string; readonly definition: JsonObject }

/** What a server offers, as a file: `mcp.lock.json`. */
export type Contract = {
  readonly format: 'mcp-lock'
  readonly version: 1
} & Readonly<Record<ContractKind, Readonly<Record<string, ContractEntry>>>>

/** Members that change nothing for a program. */
const PROSE = new Set(['title', 'description', 'icons', '_meta', '$comment', 'examples'])

/** Reads what a server offers. */
export async function readContract(client: McpClient): Promise<Contract> {
  const { capabilities } = client
  const has = (name: string): boolean => isJsonObject(capabilities[name])
  const [tools, resources, templates, prompts] = await Promise.all([
    has('tools') ? client.listTools() : [],
    has('resources') ? client.listResources() : [],
    has('resources') ? client.listResourceTemplates() : [],
    has('prompts') ? client.listPrompts() : [],
  ])
  return {
    format: 'mcp-lock',
    version: 1,
    tools: entries(tools, 'name'),
    resources: entries(resources, 'uri'),
    resourceTemplates: entries(templates, 'uriTemplate'),
    prompts: entries(prompts, 'name'),
  }
}

/** The text of a contract's file. */
export function contractText(contract: Contract): string {
  return `${JSON.stringify(contract, undefined, 2)}\n`
}

/** Reads the text of a contract's file. Throws a `TestSetupError`. */
export function parseContract(text: string, file: string): Contract {
  const value = jsonIn(text, file)
  if (!isJsonObject(value) || value['format'] !== 'mcp-lock')
    throw new TestSetupError('option', `${file} is not a contract of a server (format "mcp-lock")`)
  if (value['version'] !== 1)
    throw new TestSetupError(
      'option',
      `${file} has version ${String(value['version'])}; this Patchbay reads version 1`,
    )
  return { format: 'mcp-lock', version: 1, ...readKinds(value, file) }
}

function readKinds(value: JsonObject, file: string): Record<ContractKind, Record<string, ContractEntry>> {
  const kinds: Record<ContractKind, Record<string, ContractEntry>> = {
    ...{ tools: {}, resources: {}, resourceTemplates: {}, prompts: {} },
  }
  for (const kind of KINDS) {
    const all = value[kind]
    if (all === undefined) continue
    if (!isJsonObject(all)) throw new TestSetupError('option', `${file}: "${kind}" must be an object`)
    for (const [name, entry] of Object.entries(all)) {
      const { wire, prose, definition } = isJsonObject(entry) ? entry : {}
      if (typeof wire !== 'string' || typeof prose !== 'string' || !isJsonObject(definition))
        throw new TestSetupError(
          'option',
          `${file}: ${kind} "${name}" needs "wire", "prose" and "definition"`,
        )
      kinds[kind][name] = { wire, prose, definition }
    }
  }
  return kinds
}

/** A difference between a contract and what the server offers now. */
export type Drift = {
  readonly kind: ContractKind
  readonly name: string
  readonly type: 'added' | 'removed' | 'changed' | 'prose'
  /** The members that differ. */
  readonly members: readonly string[]
}

/** How a server has drifted from its contract. */
export function driftOf(before: Contract, now: Contract): readonly Drift[] {
  return KINDS.flatMap((kind) => {
    const names = new Set([...Object.keys(before[kind]), ...Object.keys(now[kind])])
    return [...names].flatMap((name): readonly Drift[] => {
      const [old, fresh] = [before[kind][name], now[kind][name]]
      if (old === undefined) return [{ kind, name, type: 'added', members: [] }]
      if (fresh === undefined) return [{ kind, name, type: 'removed', members: [] }]
      if (old.wire === fresh.wire && old.prose === fresh.prose) return []
      const type = old.wire === fresh.wire ? 'prose' : 'changed'
      return [{ kind, name, type, members: differing(old.definition, fresh.definition) }]
    })
  })
}

function entries(definitions: readonly JsonObject[], key: string): Readonly<Record<string, ContractEntry>> {
  const sorted = definitions.toSorted((one, other) => (String(one[key]) < String(other[key]) ? -1 : 1))
  return Object.fromEntries(
    sorted.map((definition) => [
      String(definition[key]),
      { wire: hash(withoutProse(definition)), prose: hash(definition), definition },
    ]),
  )
}

/** A definition without what only people and models read; names of properties are not prose. */
function withoutProse(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !PROSE.has(name))
      .map(([name, member]) => [
        name,
        withoutProse(member, !isMap && (name === 'properties' || name === '$defs')),
      ]),
  )
}

function hash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32)
}

function differing(one: JsonObject, other: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const textOf = (value: unknown): string | undefined => (value === undefined ? value : canonicalJson(value))
  return [...names].filter((name) => textOf(one[name]) !== textOf(other[name]))
}

function jsonIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new TestSetupError('option', `${file} is not JSON: ${String(error)}`, { cause: error })
  }
}
