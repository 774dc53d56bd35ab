import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { compare } from './compare.ts'

const SEED = 7

const root = (uri: JsonObject, required: readonly string[] = ['uri']): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: {
    Root: {
      type: 'object',
      properties: { uri, name: { type: 'string' }, _meta: { type: 'object' } },
      required,
    },
  },
})

const kinds = (document: JsonObject) =>
  compare('2026-07-28', document, SEED).disagreements.map(({ definition, kind }) => `${definition} ${kind}`)

describe('comparing with a schema file', () => {
  it('finds nothing where both say the same', () => {
    const { definitions, instances, mutants, disagreements } = compare(
      '2026-07-28',
      root({ type: 'string', format: 'uri' }),
      SEED,
    )
    expect(disagreements).toEqual([])
    expect([definitions, instances]).toEqual([1, 50])
    expect(mutants).toBeGreaterThan(100)
  })

  it('finds a field of another type from both sides', () => {
    expect(kinds(root({ type: 'integer' }))).toEqual(expect.arrayContaining(['Root theirs', 'Root ours']))
  })

  it('finds a field that only one side requires', () => {
    expect(kinds(root({ type: 'string' }, []))).toContain('Root theirs')
    expect(kinds(root({ type: 'string' }, ['uri', 'name']))).not.toEqual([])
  })

  it('finds by a mutant what no instance shows', () => {
    expect(kinds(root({}))).toContain('Root theirs')
    expect(kinds(root({ type: ['string', 'null'] }))).not.toEqual([])
  })

  it('finds a definition that we have not', () => {
    expect(kinds({ $defs: { Novelty: { type: 'object' } } })).toEqual(['Novelty missing'])
  })
})
