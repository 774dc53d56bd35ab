import { expect, test } from 'vitest'
import { addedSources, joinedSources, withoutSource, withSource, type AddedSource } from './added-sources.ts'

const pets: AddedSource = { kind: 'openapi', data: { document: 'pets.yaml', prefix: 'pets' } }
const birds: AddedSource = { kind: 'mount', data: { folder: '../birds', prefix: 'birds' } }

test('sources are added to the document and taken out of it, and nothing else of it changes', () => {
  const before = { servers: [], theirs: 1, composition: { files: ['a.md'] } }
  const both = withSource(withSource(before, pets), birds)
  expect(both).toMatchObject({ theirs: 1, composition: { files: ['a.md'], mounts: [birds.data] } })
  expect(withoutSource(withoutSource(both, pets), birds)).toEqual(before)
  expect(withoutSource(before, pets)).toBe(before)
  expect(withoutSource(withSource({ servers: [] }, pets), pets)).toEqual({ servers: [] })
})

test('added sources follow those that the configuration names', () => {
  const composition = { openapi: [{ document: 'pets.yaml', prefix: 'pets' }] }
  expect(addedSources(composition)).toEqual([pets])
  const joined = joinedSources({ name: 'n', openapi: [{ document: 'own.json' }] }, composition)
  expect(joined).toMatchObject({ name: 'n', openapi: [{ document: 'own.json' }, { document: 'pets.yaml' }] })
})
