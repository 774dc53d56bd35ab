import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import type { Revision } from '../../server-core/protocol/revisions.ts'
import { wireSchema } from '../../server-core/protocol/wire/schemas.ts'
import { mended } from './flaws.ts'
import { instancesOf } from './instances.ts'
import { definitionsOf } from './json-schema.ts'
import { mutantsOf } from './mutants.ts'

export type Comparison = {
  /** Definitions of the file that were compared. */
  readonly definitions: number
  readonly instances: number
  readonly mutants: number
  readonly disagreements: readonly Disagreement[]
}

export type Disagreement = {
  readonly definition: string
  /** What was compared: an instance made from the file, one made from our schema, or one of these changed. */
  readonly kind: 'missing' | 'theirs' | 'ours' | 'mutant'
  readonly instance?: unknown
  readonly reason: string
}

/** Instances made from each side of each definition, and mutants of each instance. */
const RUNS = 25
const MUTANTS = 4

/**
 * Holds our schemas of a revision against its official schema file: instances made from either must be accepted by
 * the other, and both must say the same of instances that were changed. The same seed makes the same instances.
 */
export function compare(revision: Revision, document: JsonObject, seed: number): Comparison {
  const official = mended(document, revision)
  const keyword = isJsonObject(document['$defs']) ? '$defs' : 'definitions'
  const options = { strict: false, validateFormats: false, allErrors: false }
  const ajv = keyword === '$defs' ? new Ajv2020(options) : new Ajv(options)
  ajv.addSchema(official, 'official')
  const disagreements: Disagreement[] = []
  let instances = 0
  let mutants = 0
  const definitions = Object.entries(definitionsOf(official))
  for (const [definition, theirs] of definitions) {
    const ours = wireSchema(revision, definition)
    const accepts: ValidateFunction | undefined = ajv.getSchema(`official#/${keyword}/${definition}`)
    if (ours === undefined || accepts === undefined) {
      disagreements.push({ definition, kind: 'missing', reason: 'there is no schema of ours for it' })
      continue
    }
    const look = (kind: 'theirs' | 'ours', instance: unknown): boolean => {
      instances += 1
      const reason = kind === 'theirs' ? ourReason(ours, instance) : theirReason(accepts, instance)
      if (reason === undefined) return true
      disagreements.push({ definition, kind, instance, reason })
      return false
    }
    const lookChanged = (instance: unknown): boolean => {
      mutants += 1
      const ourWord = ourReason(ours, instance)
      const theirWord = theirReason(accepts, instance)
      if ((ourWord === undefined) === (theirWord === undefined)) return true
      const reason =
        ourWord === undefined
          ? `only theirs refuses it: ${theirWord ?? ''}`
          : `only ours refuses it: ${ourWord}`
      disagreements.push({ definition, kind: 'mutant', instance, reason })
      return false
    }
    const sides = [
      { kind: 'theirs', made: instancesOf(official, theirs) },
      { kind: 'ours', made: oursOf(ours) },
    ] as const
    for (const { kind, made } of sides) {
      for (const instance of fc.sample(made, { numRuns: RUNS, seed })) {
        if (!look(kind, instance)) break
        const changed = mutantsOf(instance)
        if (changed === undefined) continue
        if (!fc.sample(changed, { numRuns: MUTANTS, seed: seed + instances }).every(lookChanged)) break
      }
    }
  }
  return { definitions: definitions.length, instances, mutants, disagreements }
}

function oursOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const document: unknown = z.toJSONSchema(schema, { io: 'input' })
  if (!isJsonObject(document)) throw new TypeError('expected a schema')
  return instancesOf(document, document)
}

function ourReason(schema: z.ZodType, instance: unknown): string | undefined {
  const parsed = schema.safeParse(instance)
  return parsed.success ? undefined : z.prettifyError(parsed.error).replace(/\s+/g, ' ')
}

function theirReason(accepts: ValidateFunction, instance: unknown): string | undefined {
  if (accepts(instance)) return undefined
  const [first] = accepts.errors ?? []
  return `${first?.instancePath ?? ''} ${first?.message ?? 'refused'}`
}
