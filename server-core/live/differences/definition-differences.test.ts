import { expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { definitionDifferences } from './definition-differences.ts'

const breaking = (before?: JsonObject, after?: JsonObject): readonly string[] =>
  definitionDifferences(before, after).map((each) => `${each.part}: ${each.what}${each.breaking ? ' !' : ''}`)

const tool = { name: 'add', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }

it('reports what an entry was and is, and what of it breaks those who call it', () => {
  expect(breaking(undefined, tool)).toEqual(['definition: it is new'])
  expect(breaking(tool, undefined)).toEqual(['definition: it was removed !'])
  expect(breaking(tool, { ...tool, name: 'plus', description: 'Adds.' })).toEqual([
    'definition: name is "plus" now and was "add" !',
    'definition: description is new',
  ])
})

it('takes what callers send and what they get from opposite sides', () => {
  const wide = { type: 'object', properties: { n: { type: 'number' } } }
  expect(breaking(tool, { ...tool, inputSchema: wide })).toEqual(['input: n is number now and was integer'])
  const [before, after] = [
    { ...tool, outputSchema: tool.inputSchema },
    { ...tool, outputSchema: wide },
  ]
  expect(breaking(before, after)).toEqual(['output: n is number now and was integer !'])
  expect(breaking(after, before)).toEqual(['output: n is integer now and was number'])
  expect(breaking(before, tool).every((each) => each.endsWith('!'))).toBe(true)
})

it('reads the arguments of prompts as what callers send', () => {
  const prompt = { name: 'sum', arguments: [{ name: 'style', required: true }, { name: 'tag' }] }
  expect(
    breaking(prompt, { name: 'sum', arguments: [{ name: 'style' }, { name: 'size', required: true }] }),
  ).toEqual([
    'input: tag was removed !',
    'input: style may be left out now',
    'input: size is new and required !',
  ])
})

it('knows a resource by its URI', () => {
  const resource = { uri: 'notes://today', name: 'today', mimeType: 'text/plain' }
  expect(breaking(resource, { ...resource, name: 'Today', mimeType: 'text/markdown' })).toEqual([
    'definition: name is "Today" now and was "today"',
    'definition: mimeType is another now',
  ])
})
