import { expect, it } from 'vitest'
import type { ServerEntry } from '../workspace/server-entries.ts'
import { uniquelyNamed } from './unique-name.ts'

function entry(id: string, name: string): ServerEntry {
  return { id, name, origin: 'user', transport: 'stdio', command: 'node', args: [], env: [] }
}

it('leaves a name that only the entry itself has', () => {
  const own = entry('a', 'files')
  expect(uniquelyNamed(own, [own, entry('b', 'Files')])).toBe(own)
})

it('adds the first number that no other entry has', () => {
  const others = [entry('b', 'files'), entry('c', 'files 2')]
  expect(uniquelyNamed(entry('a', 'files'), others)).toEqual(entry('a', 'files 3'))
  expect(others.map(({ name }) => name)).toEqual(['files', 'files 2'])
})

it('cuts a name so that it fits with its number', () => {
  const long = 'x'.repeat(120)
  expect(uniquelyNamed(entry('a', long), [entry('b', long)]).name).toBe(`${'x'.repeat(118)} 2`)
})
