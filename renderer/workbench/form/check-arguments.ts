import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema'
import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { findingMessage, type Finding } from './finding-message.ts'
import { pointerSteps } from '../../../server-core/protocol/json-pointer.ts'
import { isSchemaNode, SchemaSource, type SchemaNode } from './schema-source.ts'
import { messageOf } from '../../../server-core/protocol/error-message.ts'

export type Check =
  | { readonly state: 'valid' }
  | { readonly state: 'invalid'; readonly findings: readonly Finding[] }
  /** The schema itself cannot be used; the server decides alone. */
  | { readonly state: 'not-checked'; readonly reason: string }

const DIALECTS: Readonly<Record<string, SchemaDraft>> = {
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'http://json-schema.org/draft-07/schema': '7',
  'http://json-schema.org/draft-06/schema': '7',
  'http://json-schema.org/draft-04/schema': '4',
}

/** Findings that only say that a finding is further in. */
const WRAPPERS = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'dependentSchemas',
  'allOf',
  '$ref',
  '$dynamicRef',
  'if',
])
const MAX_FINDINGS = 200

/**
 * Checks arguments for one schema (JSON Schema 2020-12 unless `$schema` says otherwise; MCP, tools: an unknown
 * dialect is said, never passed over). Big integers are compared as the nearest double.
 */
export class ArgumentsChecker {
  readonly #source: SchemaSource
  readonly #validator: Validator | undefined
  readonly #refusal: string

  constructor(schema: unknown) {
    // The validator writes into the schema it is given.
    const copy: unknown = structuredClone(schema)
    const root: SchemaNode = isSchemaNode(copy) ? copy : true
    this.#source = new SchemaSource(root)
    const dialect = dialectOf(root)
    this.#refusal = dialect === undefined ? `the schema's dialect is not known: ${namedDialect(root)}` : ''
    try {
      this.#validator = dialect === undefined ? undefined : new Validator(root, dialect, false)
    } catch (error) {
      this.#refusal = reasonOf(error)
    }
  }

  check(text: string): Check {
    if (this.#validator === undefined) return { state: 'not-checked', reason: this.#refusal }
    const value: unknown = JSON.parse(text)
    try {
      const { valid, errors } = this.#validator.validate(value)
      if (valid) return { state: 'valid' }
      return { state: 'invalid', findings: this.#findings(errors, value) }
    } catch (error) {
      return { state: 'not-checked', reason: reasonOf(error) }
    }
  }

  #findings(errors: readonly OutputUnit[], value: unknown): Finding[] {
    const findings = new Map<string, Finding>()
    for (const error of withoutOtherBranches(errors)) {
      if (findings.size >= MAX_FINDINGS) break
      const keyword = this.#schemaAt(error.keywordLocation)
      const finding = findingMessage(error, keyword, value)
      findings.set(`${finding.pointer}\u0000${finding.message}`, finding)
    }
    return [...findings.values()]
  }

  /** What the schema says under the keyword that was broken; references on the way are followed. */
  #schemaAt(location: string): unknown {
    let here: unknown = this.#source.root
    for (const step of pointerSteps(location.slice(1))) {
      if (step === '$ref' || step === '$dynamicRef') {
        const reference = isJsonObject(here) ? here[step] : undefined
        const resolved = typeof reference === 'string' ? this.#source.resolve(reference) : undefined
        if (resolved?.ok !== true) return undefined
        here = resolved.node
      } else if (Array.isArray(here)) here = (here as unknown[])[Number(step)]
      else if (isJsonObject(here)) here = here[step]
      else return undefined
    }
    return here
  }
}

function dialectOf(root: SchemaNode): SchemaDraft | undefined {
  const named = namedDialect(root)
  return named === '' ? '2020-12' : DIALECTS[named.replace(/#$/, '')]
}

function namedDialect(root: SchemaNode): string {
  const named = isJsonObject(root) ? root['$schema'] : undefined
  return typeof named === 'string' ? named : ''
}

function reasonOf(error: unknown): string {
  const message = messageOf(error)
  return message.split('\n')[0] ?? message
}

/**
 * A value that fits no branch of a `oneOf` or `anyOf` breaks them all. Kept are the findings of the branch it
 * comes nearest to: one of the right type and the right constants, and of those the one with fewest findings.
 */
function withoutOtherBranches(errors: readonly OutputUnit[]): OutputUnit[] {
  const refused = errors.some((error) => error.keyword === 'additionalProperties')
  const leaves = errors.filter((error) => {
    if (error.keyword === 'false' && refused) return false
    return !WRAPPERS.has(error.keyword) && !wrapsPairs(error, errors)
  })
  const groups = errors.filter((error) => error.keyword === 'oneOf' || error.keyword === 'anyOf')
  const dropped = new Set<OutputUnit>()
  // Innermost first: an outer choice counts only what the inner ones left.
  for (const group of groups.toSorted((a, b) => b.keywordLocation.length - a.keywordLocation.length)) {
    const branches = branchesOf(
      group,
      leaves.filter((leaf) => !dropped.has(leaf)),
    )
    const nearest = [...branches.values()].toSorted((a, b) => distance(a, group) - distance(b, group))[0]
    if (nearest === undefined) continue
    dropped.add(group)
    for (const branch of branches.values()) {
      if (branch !== nearest) for (const leaf of branch) dropped.add(leaf)
    }
  }
  return leaves.filter((leaf) => !dropped.has(leaf))
}

/** `additionalProperties` with a schema wraps the finding inside it; with `false` it is the finding. */
function wrapsPairs(error: OutputUnit, errors: readonly OutputUnit[]): boolean {
  if (error.keyword !== 'additionalProperties' && error.keyword !== 'unevaluatedProperties') return false
  return errors.some(
    (other) =>
      other !== error &&
      other.keyword !== 'false' &&
      other.keywordLocation.startsWith(`${error.keywordLocation}/`),
  )
}

function branchesOf(group: OutputUnit, leaves: readonly OutputUnit[]): Map<string, OutputUnit[]> {
  const branches = new Map<string, OutputUnit[]>()
  for (const leaf of leaves) {
    if (leaf === group || !leaf.keywordLocation.startsWith(`${group.keywordLocation}/`)) continue
    if (!leaf.instanceLocation.startsWith(group.instanceLocation)) continue
    const name = leaf.keywordLocation.slice(group.keywordLocation.length + 1).split('/')[0] ?? ''
    const branch = branches.get(name)
    if (branch === undefined) branches.set(name, [leaf])
    else branch.push(leaf)
  }
  return branches
}

function distance(branch: readonly OutputUnit[], group: OutputUnit): number {
  let sum = branch.length
  for (const leaf of branch) {
    if (leaf.keyword === 'type' && leaf.instanceLocation === group.instanceLocation) sum += 1_000
    if (leaf.keyword === 'const') sum += 100
  }
  return sum
}
