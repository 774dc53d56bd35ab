import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeForPort, decodeFromPort } from './encode-for-port.ts'

it('brings over whatever can be cloned as a clone would', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true }),
      (value) => {
        // JSON knows one zero.
        fc.pre(!/-0/.test(fc.stringify(value)))
        let clone: unknown
        try {
          clone = structuredClone(value)
        } catch {
          expect(() => encodeForPort(value)).toThrow()
          return
        }
        expect(decodeFromPort(structuredClone(encodeForPort(value)))).toStrictEqual(clone)
      },
    ),
  )
})

it('makes one text of plain JSON of some size alone', () => {
  const call = { type: 'call', call: 1, target: { op: 'tool', args: { a: [1, null, true, 'é\ud800'] } } }
  expect(encodeForPort(call)).toBe(JSON.stringify(call))
  expect(decodeFromPort(encodeForPort(call))).toEqual(call)
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const others = [
    { text: 'x'.repeat(100_000) },
    { n: Number.NaN },
    { u: undefined },
    { d: new Date(0) },
    cyclic,
  ]
  for (const other of others) {
    expect(encodeForPort(other)).toBeInstanceOf(Uint8Array)
    expect(decodeFromPort(encodeForPort(other))).toEqual(other)
  }
})

it('rejects what it did not make', () => {
  expect(() => decodeFromPort('{"type":')).toThrow(SyntaxError)
  expect(() => decodeFromPort(new Uint8Array([1, 2, 3]))).toThrow('deserialize')
})
