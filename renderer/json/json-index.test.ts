import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  childrenOf,
  countOf,
  indexJson,
  indexOfPart,
  JsonKind,
  keySource,
  kindOf,
  valueSource,
  type JsonIndex,
} from './json-index.ts'
import { nodeAtPointer, pointersAtOffset, unquote } from './json-pointer.ts'

function indexOf(text: string): JsonIndex {
  const indexed = indexJson(text)
  if (!indexed.ok) throw new Error(indexed.problem.message)
  return indexed.index
}

function rebuild(index: JsonIndex, node: number): unknown {
  const kind = kindOf(index, node)
  if (kind === JsonKind.array) return [...childrenOf(index, node)].map((child) => rebuild(index, child))
  if (kind === JsonKind.object) {
    return Object.fromEntries(
      [...childrenOf(index, node)].map((child) => [
        unquote(keySource(index, child) ?? '""'),
        rebuild(index, child),
      ]),
    )
  }
  return JSON.parse(valueSource(index, node)) as unknown
}

describe('indexJson', () => {
  it('finds every value of any JSON document, however it is indented', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(rebuild(indexOf(text), 0)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('takes and refuses exactly what JSON.parse takes and refuses', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e',
      '\\',
      '1',
      '-',
      '.5',
      'e3',
      '01',
    )
    const words = fc.constantFrom('true', 'nul', 'null', ' ', '\n', '"', '\t', '\u0001', '{"a":1}', '[1,2]')
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, words), { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        expect(indexJson(text).ok).toBe(valid)
      }),
      { numRuns: 1_000 },
    )
  })

  it('keeps numbers, the order of members and repeated keys as they were written', () => {
    const index = indexOf('{"9":1.0,"1":9007199254740993,"9":1e400}')
    const members = [...childrenOf(index, 0)].map((node) => [
      keySource(index, node),
      valueSource(index, node),
    ])
    expect(members).toEqual([
      ['"9"', '1.0'],
      ['"1"', '9007199254740993'],
      ['"9"', '1e400'],
    ])
    expect(countOf(index, 0)).toBe(3)
  })

  it('gives a part as an index of its own', () => {
    const index = indexOf('{"a":1,"part":{"b":[10,20]},"c":3}')
    const part = indexOfPart(index, nodeAtPointer(index, '/part') ?? -1)
    expect(rebuild(part, 0)).toEqual({ b: [10, 20] })
    expect(keySource(part, 0)).toBeUndefined()
  })

  it('says what is wrong and where', () => {
    const indexed = indexJson('{\n  "a": 1,\n  "b": }\n')
    expect(indexed).toEqual({
      ok: false,
      problem: { message: 'expected a value, got “}”', offset: 19, line: 3, column: 8 },
    })
  })

  it('refuses nesting that would exhaust the stack', () => {
    expect(indexJson('['.repeat(100_000)).ok).toBe(false)
  })

  it('indexes five megabytes in one pass and one table', () => {
    const row = JSON.stringify({ id: 1, name: 'Harbour', tags: ['a', 'b'], at: '2026-11-21T21:42:00Z' })
    const text = `[${Array.from({ length: 80_000 }, () => row).join(',')}]`
    expect(text.length).toBeGreaterThan(5_000_000)
    const nodes = 80_000 * 7 + 1
    const looked = vi.spyOn(RegExp.prototype, 'test')
    const index = indexOf(text)
    // One scan for each of the texts and keys, none of them begun twice.
    expect(looked.mock.calls.length).toBeLessThan(2 * nodes)
    looked.mockRestore()
    expect(index.nodes).toBe(nodes)
    expect(index.table.length).toBeLessThan(20 * nodes)
  })
})

describe('pointers', () => {
  it('finds a value by its JSON pointer, escapes included', () => {
    const index = indexOf('{"a/b":{"~":[10,{"c":true}]}}')
    const node = nodeAtPointer(index, '/a~1b/~0/1/c')
    expect(node === undefined ? undefined : valueSource(index, node)).toBe('true')
    expect(nodeAtPointer(index, '/nothing')).toBeUndefined()
  })

  it('names the values around a place in the text', () => {
    const text = '{ "days": 5, "include": [ "wind", "rain" ] }'
    expect(pointersAtOffset(indexOf(text), text.indexOf('rain'))).toEqual(['', '/include', '/include/1'])
    expect(pointersAtOffset(indexOf(text), text.indexOf('days'))).toEqual(['', '/days'])
  })
})
