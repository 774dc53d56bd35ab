import { describe, expect, it } from 'vitest'
import { Outgoing, SLICE_BYTES } from './outgoing.ts'

/** A target that takes what it is given, and says whether it wants more. */
function target(ready = true) {
  const written: string[] = []
  const state = { ready }
  return {
    state,
    written,
    write: (bytes: Uint8Array) => {
      written.push(Buffer.from(bytes).toString('latin1'))
      return state.ready
    },
  }
}

const bytes = (text: string) => Buffer.from(text, 'latin1')
const LIMITS = { outgoingBufferBytes: 100, outgoingStallMs: 10_000 }
const never = (reason: string) => {
  throw new Error(reason)
}

describe('Outgoing', () => {
  it('writes each piece at once while the reader keeps up', () => {
    const { written, write } = target()
    const outgoing = new Outgoing({ write }, LIMITS, never)
    outgoing.write(bytes('a'))
    outgoing.write(bytes('b'))
    expect(written).toEqual(['a', 'b'])
    expect(outgoing.waitingBytes).toBe(0)
  })

  it('keeps what comes while the reader is behind, and writes it together when it has caught up', () => {
    const { written, state, write } = target(false)
    const outgoing = new Outgoing({ write }, LIMITS, never)
    for (const text of ['a', 'b', 'c']) outgoing.write(bytes(text))
    expect([written, outgoing.waitingBytes, outgoing.stalled]).toEqual([['a'], 2, true])
    const empty: string[] = []
    outgoing.whenEmpty(() => empty.push(written.join()))
    state.ready = true
    outgoing.drained()
    expect([written, empty, outgoing.stalled]).toEqual([['a', 'bc'], ['a,bc'], false])
    outgoing.whenEmpty(() => empty.push('now'))
    expect(empty).toContain('now')
  })

  it('cuts long bytes into slices and takes a reader that empties them for a slow one, not a stalled one', () => {
    const { written, state, write } = target(false)
    const outgoing = new Outgoing({ write }, LIMITS, never)
    const text = 'x'.repeat(SLICE_BYTES * 2) + 'end'
    outgoing.writeCut(bytes(text))
    for (let rounds = 0; rounds < 3; rounds += 1) {
      outgoing.tick(performance.now() + 9_000)
      outgoing.drained()
    }
    state.ready = true
    outgoing.drained()
    expect(written.map(({ length }) => length)).toEqual([SLICE_BYTES, SLICE_BYTES, 3])
    expect(written.join('')).toBe(text)
  })

  it('reports a reader with too much waiting once, and writes nothing more', () => {
    const reasons: string[] = []
    const { written, write } = target(false)
    const outgoing = new Outgoing({ write }, LIMITS, (reason) => reasons.push(reason))
    outgoing.write(bytes('first'))
    // One message over the bound waits whole: only what comes on top of it is too much.
    outgoing.write(bytes('x'.repeat(500)))
    expect(reasons).toEqual([])
    outgoing.write(bytes('y'))
    outgoing.write(bytes('z'))
    outgoing.drained()
    expect(reasons).toEqual([expect.stringContaining('outgoingBufferBytes')])
    expect(written).toEqual(['first'])
  })

  it('reports a reader that takes nothing for too long', () => {
    const reasons: string[] = []
    const outgoing = new Outgoing(target(false), LIMITS, (reason) => reasons.push(reason))
    outgoing.tick(performance.now() + 60_000)
    outgoing.write(bytes('a'))
    outgoing.tick(performance.now() + 9_000)
    expect(reasons).toEqual([])
    outgoing.tick(performance.now() + 10_001)
    outgoing.tick(performance.now() + 20_001)
    expect(reasons).toEqual([expect.stringContaining('outgoingStallMs')])
  })

  it('keeps the order of a hundred thousand pieces through many drains', () => {
    const { written, write } = target(false)
    const outgoing = new Outgoing({ write }, { ...LIMITS, outgoingBufferBytes: 1e9 }, never)
    const sent: string[] = []
    for (let index = 0; index < 100_000; index += 1) {
      const text = `${index};`
      sent.push(text)
      outgoing.write(bytes(text))
      if (index % 5_000 === 0) outgoing.drained()
    }
    while (outgoing.stalled) outgoing.drained()
    expect(written.join('')).toBe(sent.join(''))
  })
})
