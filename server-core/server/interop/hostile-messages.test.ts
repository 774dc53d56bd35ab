import { describe, expect, it } from 'vitest'
import { LEGACY, MODERN, start } from './peers.test-support.ts'

/** Ids as they are in the text, all of them legal: a string, or an integer that a double holds. */
const LEGAL_IDS = [
  '0',
  '-1',
  '1',
  '"1"',
  '9007199254740991',
  '-9007199254740991',
  '""',
  '"__proto__"',
  '"constructor"',
  '"a b\\"\\\\\\n\\u2028"',
  '"\\u0000"',
  '"é𝄞"',
  '"\\ud800"',
  '1e3',
]
const ILLEGAL_IDS = [
  '9007199254740993',
  '-9007199254740992',
  '1.5',
  '1e400',
  'null',
  'true',
  '{}',
  '[]',
  '["1"]',
  '{"toString":1}',
]
const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  '',
  ' ',
  '\u0000',
]

describe.each([...LEGACY, ...MODERN])('over %s', (_name, open) => {
  it('a legal id is echoed as it came, its type kept', async () => {
    const peer = await start(open, {})
    for (const id of LEGAL_IDS) {
      const text = JSON.stringify(peer.request('tools/list', {}, 'ID')).replace('"ID"', id)
      const { message } = await peer.send(text)
      expect([id, message]).toMatchObject([id, { id: JSON.parse(id) as unknown, result: {} }])
    }
  })

  it('an illegal id is refused and not echoed, and the next message is served', async () => {
    const peer = await start(open, {})
    for (const id of ILLEGAL_IDS) {
      const text = JSON.stringify(peer.request('tools/list', {}, 'ID')).replace('"ID"', id)
      const { message } = await peer.send(text)
      expect([id, message]).toMatchObject([id, { error: { code: -32600 } }])
      expect([id, message?.['id'] ?? null]).toEqual([id, null])
    }
    expect((await peer.send(JSON.stringify(peer.request('tools/list')))).message).toMatchObject({
      result: {},
    })
  })

  it('an id that is in flight is not taken twice', async () => {
    const peer = await start(open, {})
    const gated = JSON.stringify(peer.request('tools/call', { name: 'gated' }, 7))
    peer.fire(gated)
    await expect.poll(peer.running, { interval: 5 }).toBe(1)
    const other = await peer.send(JSON.stringify(peer.request('tools/list', {}, '7')))
    expect(other.message).toMatchObject({ id: '7', result: {} })
    // Modern requests over HTTP have nothing in common with each other, their ids neither.
    if (_name === 'Streamable HTTP, modern') return
    const again = await peer.send(JSON.stringify(peer.request('tools/list', {}, 7)))
    expect(again.message).toMatchObject({ id: 7, error: { code: -32600 } })
  })

  it('names of what every object has are names like any other', async () => {
    const peer = await start(open, {})
    for (const name of HOSTILE_NAMES) {
      const tool = await peer.send(JSON.stringify(peer.request('tools/call', { name, arguments: {} })))
      expect([name, tool.message]).toMatchObject([name, { error: { code: -32602 } }])
      const prompt = await peer.send(JSON.stringify(peer.request('prompts/get', { name })))
      expect([name, prompt.message]).toMatchObject([name, { error: { code: expect.any(Number) as number } }])
      const method = await peer.send(JSON.stringify(peer.request(name, {})))
      expect([name, method.message]).toMatchObject([name, { error: { code: expect.any(Number) as number } }])
    }
    const text = JSON.stringify(peer.request('tools/call', { name: 'keys', arguments: { ARGUMENTS: 1 } }))
    const hostile = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}'
    const { message } = await peer.send(text.replace('"ARGUMENTS":1', hostile))
    expect(message).toMatchObject({ result: { content: [{ text: '["__proto__","constructor"]' }] } })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
