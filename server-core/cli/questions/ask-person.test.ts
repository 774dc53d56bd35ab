import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import type { Question } from '../../responders/question.ts'
import { effectiveSettings } from '../../responders/settings.ts'
import { personAt } from './person.ts'
import { terminalBroker } from './terminal-broker.ts'

const settings = effectiveSettings(undefined, undefined)

/** A terminal at which these lines are typed, one after the other. */
function terminal(lines: readonly string[]) {
  const input = new PassThrough()
  const output = new PassThrough()
  const opened: string[] = []
  const told: string[] = []
  const left = [...lines]
  // A line is typed when something was asked for.
  let shown = ''
  output.on('data', (bytes: Buffer) => {
    shown += bytes.toString()
    if (!/: $|> $/.test(bytes.toString())) return
    const line = left.shift()
    if (line !== undefined) setImmediate(() => input.write(`${line}\n`))
  })
  const broker = terminalBroker({
    person: personAt({ input, output, interrupt: () => undefined }),
    openUrl: (href) => Promise.resolve(void opened.push(href)),
    writeStderr: (line) => told.push(line),
  })
  return { broker: broker, shown: () => shown, opened, told, left }
}

function question(kind: Question['kind'], params: JsonObject): Question {
  const method =
    kind === 'sampling' ? 'sampling/createMessage' : kind === 'roots' ? 'roots/list' : 'elicitation/create'
  return {
    kind,
    method,
    params,
    revision: '2025-11-25',
    bytes: new Uint8Array(),
    server: { id: 'one', name: 'Weather' },
  }
}

async function ask(
  kind: Question['kind'],
  params: JsonObject,
  lines: readonly string[],
  proposal?: JsonObject,
) {
  const { broker, shown, ...rest } = terminal(lines)
  const pending = broker.open(question(kind, params), 'people', settings)
  const answer = await pending
    .ask(proposal, new AbortController().signal)
    .catch((error: unknown) => ({ failed: error }))
  return { answer, shown: shown(), ...rest }
}

const form = {
  message: 'Where are you?',
  requestedSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', description: 'Its English name', minLength: 2 },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 18 },
      height: { type: 'number', default: 1.8 },
      member: { type: 'boolean' },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
      colour: {
        type: 'string',
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'b', title: 'Blue' },
        ],
      },
      days: {
        type: 'array',
        items: { anyOf: [{ const: 'mo', title: 'Monday' }, { const: 'tu' }] },
        minItems: 1,
      },
      note: { type: 'string' },
    },
    required: ['city', 'age', 'days'],
  },
}

test('a form is asked field by field, and again where something does not fit', async () => {
  const typed = [
    '',
    'O',
    'Oslo',
    'x@',
    'x@y.no',
    '',
    '17',
    '18',
    '',
    'yes',
    'small',
    '2',
    '',
    'Monday, tu',
    '',
    '',
  ]
  const { answer, shown, left } = await ask('elicitation-form', form, typed)
  expect(answer).toEqual({
    action: 'accept',
    content: {
      city: 'Oslo',
      mail: 'x@y.no',
      age: 18,
      height: 1.8,
      member: true,
      size: 's',
      colour: 'b',
      days: ['mo', 'tu'],
    },
  })
  expect(left).toEqual([])
  expect(shown).toContain('Weather asks you something:\n  Where are you?')
  expect(shown).toContain('City (required)\n  Its English name')
  expect(shown).toContain('1  Small (s)')
  expect(shown).toContain('That does not fit: expected at least 2 characters, got 1.')
  expect(shown).toContain('That does not fit: expected at least 18, got 17.')
  expect(shown).toContain('height, a number [1.8]: ')
})

test('a person may say no, before and after', async () => {
  expect((await ask('elicitation-form', form, ['no'])).answer).toEqual({ action: 'decline' })
  expect((await ask('elicitation-form', form, ['perhaps', 'c'])).answer).toEqual({ action: 'cancel' })
  const filled = { message: '', requestedSchema: { properties: { a: { type: 'string' } } } }
  expect((await ask('elicitation-form', filled, ['y', 'x', 'n'])).answer).toEqual({ action: 'decline' })
  expect((await ask('sampling', { messages: [] }, [''])).answer).toMatchObject({ failed: { code: -1 } })
})

test('a page is shown whole and opened only if the person wants it and it may be', async () => {
  const url = 'https://a.example/x?y=1'
  const opened = await ask('elicitation-url', { mode: 'url', message: 'Pay', url }, ['yes'])
  expect(opened).toMatchObject({ answer: { action: 'accept' }, opened: [url] })
  expect(opened.shown).toContain(url)
  const not = await ask('elicitation-url', { mode: 'url', message: 'Pay', url }, [''])
  expect(not).toMatchObject({ answer: { action: 'decline' }, opened: [] })
  const bad = await ask('elicitation-url', { mode: 'url', message: 'Pay', url: 'file:///etc/passwd' }, [])
  expect(bad).toMatchObject({ answer: { action: 'decline' }, opened: [] })
  expect(bad.shown).toContain('Only https is opened')
})

test('a person answers as the model, looks at what a rule proposes, and shares folders', async () => {
  const params = {
    systemPrompt: 'Be kind',
    messages: [{ role: 'user', content: { type: 'text', text: 'Hi\u001b[2J' } }],
  }
  const { answer, shown } = await ask('sampling', params, ['Hello', 'there', ''])
  expect(answer).toMatchObject({ role: 'assistant', content: { type: 'text', text: 'Hello\nthere' } })
  expect(shown).toContain('system: Be kind\n  user: Hi\n')
  const proposal = { action: 'accept', content: { a: 1 } }
  expect((await ask('elicitation-form', form, ['y'], proposal)).answer).toEqual(proposal)
  expect((await ask('elicitation-form', form, ['n'], proposal)).answer).toEqual({ action: 'decline' })
  expect((await ask('roots', {}, ['/a, /b'])).answer).toEqual({
    roots: [
      { uri: 'file:///a', name: 'a' },
      { uri: 'file:///b', name: 'b' },
    ],
  })
})

test('one thing is asked at a time, and a question that is taken back is not answered', async () => {
  const { broker, shown, left } = terminal(['', 'x', ''])
  const asked = { message: 'A?', requestedSchema: { properties: { a: { type: 'string' } } } }
  const first = new AbortController()
  const one = broker.open(question('elicitation-form', { message: 'Never answered' }), 'people', settings)
  const waiting = one.ask(undefined, AbortSignal.any([first.signal, AbortSignal.abort(new Error('gone'))]))
  const two = broker.open(question('elicitation-form', asked), 'people', settings)
  const other = two.ask(undefined, new AbortController().signal)
  await expect(waiting).rejects.toThrow('gone')
  one.close({ type: 'withdrawn', reason: new Error('gone') })
  expect(await other).toEqual({ action: 'accept', content: { a: 'x' } })
  expect(left).toEqual([])
  expect(shown()).toContain('Weather does not wait for that answer any more.')
})

test('where nobody is, it is declined and said to be', async () => {
  const told: string[] = []
  const broker = terminalBroker({
    person: undefined,
    openUrl: () => Promise.resolve(),
    writeStderr: (line) => told.push(line),
  })
  const pending = broker.open(question('elicitation-form', form), 'people', settings)
  expect(await pending.ask(undefined, new AbortController().signal)).toEqual({ action: 'decline' })
  expect(told).toEqual([expect.stringContaining('--responder elicitation-form=RULE')])
})
