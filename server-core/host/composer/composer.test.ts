import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Composed, LookedAt, Sending } from '../contract/composer.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const APP = 'this-app'
const MODERN = '2026-07-28'

let test: TestHost
let everythingId: string
beforeAll(async () => {
  test = await startTestHost()
  const { id } = await test.addApproved({
    name: 'everything',
    target: { transport: 'stdio', command: process.execPath, args: [everything, 'stdio'], env: [] },
  })
  everythingId = id
  await test.client.servers.connect({ id })
})
afterAll(() => test.close())

let streams = 0

/** Sends something and gives the frames that the server sent since, once one of them has these words. */
async function exchange(
  serverId: string,
  body: Composed,
  { how = {}, words, revision }: { how?: Sending; words: string; revision: string },
): Promise<{ httpStatus: number | undefined; received: LookedAt[] }> {
  const { client } = test
  const { fromSeq, problem, httpStatus } = await client.composer.send({ serverId, body, how })
  expect(problem).toBeUndefined()
  const asked = new Map<number, string>()
  let received: LookedAt[] = []
  for await (const batch of await client.events.watch({ stream: `composed-${(streams += 1)}` })) {
    for (const row of batch.exchanges ?? []) {
      if (row.serverId !== serverId || row.side !== 'client') continue
      for (const seq of row.frames) if (seq >= fromSeq) asked.set(seq, row.method)
    }
    const frames = Array.from(asked, ([seq, answers]) => ({ seq, answers }))
    const looked = await client.composer.look({ revision, frames })
    received = looked.frames.filter(
      ({ frame }) => frame.direction === 'received' && (frame.kind === 'message' || frame.kind === 'invalid'),
    )
    if (received.some(({ frame }) => frame.text.includes(words))) break
    await client.events.acknowledge({ stream: `composed-${streams}`, seq: batch.seq })
  }
  return { httpStatus, received }
}

it('sends text that is not a message over stdio, and the connection goes on', async () => {
  const text = '{"jsonrpc":"2.0","id":"mine","method":"ping"}'
  const { received } = await exchange(
    everythingId,
    { type: 'text', text },
    { revision: '2025-11-25', words: '"mine"' },
  )
  const answer = received.find(({ frame }) => frame.text.includes('"id":"mine"'))
  expect(answer?.frame.text).toBe('{"result":{},"jsonrpc":"2.0","id":"mine"}')
  expect(answer?.findings).toEqual([])
  const sent = await test.client.composer.send({
    serverId: everythingId,
    body: { type: 'bytes', base64: Buffer.from([0x7b, 0xff, 0xfe]).toString('base64') },
    how: {},
  })
  expect(sent.problem).toBeUndefined()
  const outcome = await test.client.inspect.request({
    serverId: everythingId,
    callId: 'after',
    method: 'ping',
    paramsText: '{}',
  })
  expect(outcome.type).toBe('result')
})

it('sends any request over HTTP, and shows what comes back for it', async () => {
  const { httpStatus, received } = await exchange(
    APP,
    { type: 'text', text: '{"jsonrpc":' },
    { revision: MODERN, words: '-32700' },
  )
  expect(httpStatus).toBe(400)
  expect(received).toHaveLength(1)
})

it('tells the rules that an answer breaks, with their sentences', async () => {
  await test.client.traffic.clear()
  const text = '{"jsonrpc":"2.0","id":"x","method":"tools/list"}'
  const { received } = await exchange(
    everythingId,
    { type: 'text', text },
    { revision: MODERN, words: '"id":"x"' },
  )
  const rules = received.flatMap(({ findings = [] }) => findings)
  expect(rules.length).toBeGreaterThan(0)
  expect(rules[0]).toMatchObject({
    sentence: expect.any(String) as string,
    section: expect.any(String) as string,
  })
})

it('refuses bytes that are not base64, and servers that are not connected', async () => {
  const { client } = test
  const body = { type: 'bytes', base64: 'äöü' } as const
  await expect(client.composer.send({ serverId: APP, body, how: {} })).rejects.toThrow('base64')
  await client.servers.disconnect({ id: everythingId })
  await expect(
    client.composer.send({ serverId: everythingId, body: { type: 'text', text: '' }, how: {} }),
  ).rejects.toThrow('no open connection')
  await watchUntil(client, () => true, 'last')
})
