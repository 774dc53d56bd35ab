import { expect, it } from 'vitest'
import type { Fault } from '../mutant.ts'
import { MessageMutator } from './message-mutator.ts'

const LEVELS = 30_000
const DEEP = Buffer.from(
  `{"jsonrpc":"2.0", "id":1,"result":{"deep":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}}`,
)

function change(fault: Fault, text: Buffer | string): readonly string[] {
  const mutator = new MessageMutator(fault, 'stdio', new Map())
  const pieces = mutator.change('outgoing', Buffer.from(text), { reply: () => undefined })
  return pieces.map(String)
}

const renumbered: Fault = {
  outgoing: (message) => (message['id'] === 1 ? { ...message, id: '1' } : message),
}

it('changes a message, and each message of an array', () => {
  expect(change(renumbered, '{"id":1}')).toEqual(['{"id":"1"}'])
  expect(change(renumbered, '[{"id":1}, {"id":2}]')).toEqual(['[{"id":"1"},{"id":2}]'])
})

it('passes on what it does not change byte for byte, arrays too', () => {
  for (const text of ['{ "id": 2 }', '[ {"id": 2} ]', 'no JSON'])
    expect(change(renumbered, text)).toEqual([text])
})

it('passes on a message that nests too deeply as it came, whether a fault would change or only read it', () => {
  const deep = DEEP.toString()
  expect(change(renumbered, DEEP)).toEqual([deep])
  expect(change(renumbered, `[${deep}]`)).toEqual([`[${deep}]`])
  const reads: Fault = { outgoing: (message) => (JSON.stringify(message).length === 0 ? undefined : message) }
  expect(change(reads, DEEP)).toEqual([deep])
})
