import { expect, it } from 'vitest'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { listChange } from './list-change.ts'

const lists = (tools: readonly string[], prompts: readonly string[] = []): Lists => ({
  tools: tools.map((name) => ({ name, value: {} })),
  resources: [],
  resourceTemplates: [],
  prompts: prompts.map((name) => ({ name, value: {} })),
  problems: [],
})

it('names what came and what went, each with its kind', () => {
  const before = lists(['echo', 'ask'], ['greet'])
  expect(listChange(before, lists(['echo', 'sample'], ['greet', 'ask']))).toEqual({
    gained: ['tool sample', 'prompt ask'],
    lost: ['tool ask'],
  })
  expect(listChange(before, lists(['ask', 'echo'], ['greet']))).toEqual({ gained: [], lost: [] })
})
