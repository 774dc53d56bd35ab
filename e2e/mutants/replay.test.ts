import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { CapturedFrame } from '../../server-core/conformance/frames/captured-frame.ts'
import { FrameLog } from '../../server-core/conformance/frames/frame-log.ts'
import { Messages, type ChangeMessage } from './mutant.ts'
import { isReplayable, replay } from './replay.ts'
import { Traffic } from './traffic.ts'

/** A client lists tools twice, in one run, and pings in another. */
function recorded(): readonly CapturedFrame[] {
  const log = new FrameLog()
  const [listing, other] = [log.connection('stdio'), new FrameLog().connection('stdio')]
  const write = (connection: typeof listing, from: 'client' | 'server', value: object) => {
    log.record(connection, { kind: 'message', from, bytes: Buffer.from(JSON.stringify(value)), value })
  }
  for (const id of [1, 2]) {
    write(listing, 'client', { id, method: 'tools/list' })
    write(listing, 'server', { id, result: { tools: [] } })
  }
  const pinging = { ...other, number: 99, run: 99 }
  write(pinging, 'client', { id: 1, method: 'ping' })
  write(pinging, 'server', { id: 1, result: {} })
  return log.frames
}

const values = (frames: readonly CapturedFrame[]): readonly unknown[] => frames.map(({ value }) => value)
const ofLists =
  (change: ChangeMessage): ChangeMessage =>
  (message, context) =>
    context.answers?.['method'] === 'tools/list' ? change(message, context) : message

it('changes what one side wrote, and leaves out runs without a change', () => {
  const changed = replay(
    recorded(),
    'server',
    ofLists((message) => ({ ...message, id: String(message['id']) })),
  )
  expect(values(changed)).toEqual([
    { id: 1, method: 'tools/list' },
    { id: '1', result: { tools: [] } },
    { id: 2, method: 'tools/list' },
    { id: '2', result: { tools: [] } },
  ])
  expect(changed[1] && Buffer.from(changed[1].bytes).toString()).toBe('{"id":"1","result":{"tools":[]}}')
  expect(replay(recorded(), 'server', (message) => message)).toEqual([])
})

it('drops messages and writes several, and gives a dropped request no answer', () => {
  const twice = replay(
    recorded(),
    'server',
    ofLists((message) => new Messages(message, message)),
  )
  expect(twice).toHaveLength(6)
  expect(new Set(twice.map(({ index }) => index)).size).toBe(6)
  const dropped = replay(recorded(), 'client', (message) => (message['id'] === 2 ? undefined : message))
  expect(values(dropped)).toEqual([
    { id: 1, method: 'tools/list' },
    { id: 1, result: { tools: [] } },
  ])
})

it('is for faults of messages that a peer writes alone', () => {
  const outgoing: ChangeMessage = (message) => message
  expect(isReplayable({ outgoing })).toBe(true)
  expect(isReplayable({ outgoing, incoming: outgoing })).toBe(false)
})

it('reads the traffic that was written', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-traffic-'))
  const cell = { side: 'server', revision: '2025-11-25', transport: 'stdio' } as const
  try {
    await new Traffic(folder).write(cell, recorded())
    const read = await new Traffic(folder).read(cell)
    expect(values(read ?? [])).toEqual(values(recorded()))
    expect(await new Traffic(folder).read({ ...cell, side: 'client' })).toBeUndefined()
  } finally {
    await rm(folder, { recursive: true })
  }
})
