import { describe, expect, it } from 'vitest'
import { EventStore } from './event-store.ts'

const bytes = (size: number) => new Uint8Array(size)

describe('EventStore', () => {
  it('finds a stream by the ids of its own events', () => {
    const store = new EventStore(1_000)
    const one = store.open()
    const other = store.open()
    one.send(bytes(1))
    other.send(bytes(1))
    other.send(bytes(1))
    expect(store.find(other.eventId(1))).toEqual({ stream: other, after: 1 })
    expect(store.find(one.eventId(2))).toBeUndefined()
    for (const id of ['', 'x', '9-1', '0', '0-', '-1', `${one.id}-99999999999999999999`]) {
      expect(store.find(id)).toBeUndefined()
    }
  })

  it('lets the oldest events go, and no longer resumes from before them', () => {
    const store = new EventStore(100)
    const stream = store.open()
    for (let count = 0; count < 4; count += 1) stream.send(bytes(40))
    expect(store.find(stream.eventId(1))).toBeUndefined()
    expect(store.find(stream.eventId(2))).toEqual({ stream, after: 2 })
    expect(store.after(stream, 2)).toHaveLength(2)
  })

  it('keeps the newest event, however large, and forgets streams of which nothing is left', () => {
    const store = new EventStore(100)
    const short = store.open()
    short.send(bytes(10))
    short.end()
    const long = store.open()
    long.send(bytes(1_000))
    expect(store.after(long, 0)).toHaveLength(1)
    expect(store.find(short.eventId(1))).toBeUndefined()
  })
})
