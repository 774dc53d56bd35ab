import { expect, it } from 'vitest'
import type { MockEntry } from '../../server-core/host/contract/mocks.ts'
import { answerForm, answerOf, blankAnswer } from './answer-form.ts'
import { blankEntry, entryForm, entryOf } from './entry-form.ts'

const ENTRIES: readonly MockEntry[] = [
  {
    kind: 'tool',
    name: 'weather',
    title: 'Weather',
    annotations: { readOnlyHint: true, title: 'kept', openWorldHint: false },
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    outputSchema: { type: 'object' },
    answer: { kind: 'template', template: { city: '{{arguments.city}}' }, delayMs: 20 },
  },
  {
    kind: 'resource',
    uri: 'demo://motto',
    name: 'motto',
    mimeType: 'text/plain',
    answer: { kind: 'fixed', result: { text: 'a' } },
  },
  {
    kind: 'template',
    uriTemplate: 'demo://{id}',
    name: 'note',
    description: 'One note',
    answer: { kind: 'code', code: 'export default () => 1', timeoutMs: 500 },
  },
  {
    kind: 'prompt',
    name: 'greet',
    arguments: [{ name: 'who', description: 'Whom', required: true }, { name: 'how' }],
    answer: { kind: 'error', code: -32000, message: 'no', data: [1] },
  },
]

it.each(ENTRIES)('shows a $kind in the form and gives it back as it was', (entry) => {
  const given = entryOf(entryForm(entry))
  expect(given).toEqual({
    ok: true,
    value: entry.kind === 'tool' ? entry : JSON.parse(JSON.stringify(entry)),
  })
})

it('keeps what was typed for each kind of answer, and says what is still wrong', () => {
  const blank = blankAnswer('tool')
  const form = { ...answerForm({ kind: 'fixed', result: { a: 1 } }, blank), fixed: '{ "a": ' }
  expect(answerOf(form)).toEqual(refused('The result is not valid JSON'))
  expect(answerOf({ ...form, kind: 'template' })).toEqual({
    ok: true,
    value: { kind: 'template', template: { a: 1 } },
  })
  expect({ ...form, kind: 'error' }.fixed).toBe('{ "a": ')
  expect(answerOf({ ...form, kind: 'error', errorCode: 'x' })).toEqual(
    refused('The code must be a whole number.'),
  )
  expect(answerOf({ ...form, kind: 'template', delayMs: '-1' })).toEqual(
    refused('The delay must be a whole number of milliseconds'),
  )
  expect(answerOf({ ...form, kind: 'fixed', fixed: '[]' })).toEqual(refused('must be a JSON object'))
  expect(entryOf(blankEntry('tool'))).toEqual(refused('Enter a name.'))
  expect(entryOf({ ...blankEntry('resource'), name: 'x' })).toEqual(refused('a URI'))
})

function refused(reason: string): object {
  return { ok: false, reason: expect.stringContaining(reason) as unknown }
}
