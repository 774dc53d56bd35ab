import { describe, expect, it } from 'vitest'
import { lintText } from '../../server-core/protocol/lint/lint-text.ts'
import { REVISIONS } from '../../server-core/protocol/revisions.ts'
import { BREAKAGES, broken } from './breakages.ts'
import { methodsOf, templateOf } from './templates.ts'

const declared = { identity: { name: 'patchbay', version: '1' }, capabilities: {} }
const LEFT_TO_FILL_IN = new Set(['uri'])

describe.each(REVISIONS)('templates of $revision', (row) => {
  const { requests, notifications } = methodsOf(row)

  it.each([...requests, ...notifications])(
    '%s breaks no rule but those of what is to be filled in',
    (method) => {
      const found = lintText(templateOf(row, method, declared, 'a'), {
        direction: 'client-to-server',
        revision: row.revision,
        extensionMethods: ['tasks/get', 'tasks/update', 'tasks/cancel'],
      })
      expect(found.filter(({ rule }) => !LEFT_TO_FILL_IN.has(rule))).toEqual([])
    },
  )
})

it('fills in the entry that a template is for', () => {
  const row = REVISIONS.at(-2)
  if (row === undefined) throw new Error('there is no revision')
  const paramsOf = (method: string, subject: Parameters<typeof templateOf>[4]) =>
    (JSON.parse(templateOf(row, method, declared, 'a', subject)) as { params?: unknown }).params
  expect(paramsOf('tools/call', { kind: 'tool', name: 'echo' })).toEqual({ name: 'echo', arguments: {} })
  expect(paramsOf('prompts/get', { kind: 'tool', name: 'echo' })).toEqual({ name: '', arguments: {} })
  expect(paramsOf('resources/read', { kind: 'resource', uri: 'a:b' })).toEqual({ uri: 'a:b' })
  expect(paramsOf('tools/list', { kind: 'tool', name: 'echo' })).toBeUndefined()
})

it.each(BREAKAGES)('$name breaks a message of 2026-07-28 in a way that the rules tell', (breakage) => {
  const row = REVISIONS.at(-1)
  if (row === undefined) throw new Error('there is no revision')
  const text = broken(templateOf(row, 'tools/list', declared, 'a'), breakage)
  const found = lintText(text ?? '', { direction: 'client-to-server', revision: row.revision })
  expect(found).not.toEqual([])
  expect(broken('no JSON', breakage)).toBeUndefined()
})
