import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Redaction } from '../../capture/redaction.ts'
import { leftOpen } from '../../left-open.test-support.ts'
import { parseExact } from '../../protocol/exact-json.ts'
import { withRules } from '../../recordings/store/redaction-rules.ts'
import type { EndedCall } from '../contract/inspect.ts'
import { CallFiles } from './call-files.ts'
import { callLine, readCallLine, type CallLine } from './call-line.ts'

let folder: string
let redaction: Redaction
let notices: string[]
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-calls-'))
  leftOpen.push(() => rm(folder, { recursive: true, force: true }))
  redaction = new Redaction()
  notices = []
})

function files(masks = () => redaction as Parameters<typeof withRules>[0]): CallFiles {
  return new CallFiles({
    folder,
    masks,
    onSetAside: ({ reason }) => notices.push(`set aside: ${reason}`),
    onTrouble: (detail) => notices.push(detail),
  })
}

function answered(callId: string, text: string, argumentsText = '{}'): EndedCall {
  const messageText = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } })
  const facts = { durationMs: 1.5, revision: '2025-11-25', bytes: messageText.length }
  return {
    callId,
    at: Number(callId.replace(/\D/g, '')),
    argumentsText,
    outcome: { type: 'result', ...facts, messageText, outputCheck: { state: 'no-schema' } },
  }
}

async function store(...calls: readonly EndedCall[]): Promise<void> {
  const opened = files()
  for (const call of calls) opened.ended('tab', call)
  await opened.close()
}

async function stored(): Promise<readonly EndedCall[]> {
  return (await files().earlier('tab')).ended
}

async function onlyFile(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'))
  expect(names).toHaveLength(1)
  return path.join(folder, names[0] ?? '')
}

const text = fc.string({ unit: 'binary' })
const anyOutcome: fc.Arbitrary<EndedCall['outcome']> = fc.oneof(
  fc.record({
    type: fc.constant('error' as const),
    durationMs: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    revision: text,
    messageText: text,
    bytes: fc.nat(),
    code: fc.integer(),
    message: text,
    data: fc.constantFrom('null', '12345678901234567890', '{"a":[1e400]}').map((each) => parseExact(each)),
  }),
  fc.record({
    type: fc.constant('failure' as const),
    durationMs: fc.nat(),
    revision: text,
    code: text,
    message: text,
  }),
)
const anyLine: fc.Arbitrary<CallLine> = fc.oneof(
  fc.record({ type: fc.constant('head' as const), tab: text }),
  fc.record({
    type: fc.constant('started' as const),
    call: fc.record({ callId: text, at: fc.nat(), argumentsText: text }),
  }),
  fc.record({
    type: fc.constant('ended' as const),
    call: fc.record({ callId: text, at: fc.nat(), argumentsText: text, outcome: anyOutcome }),
  }),
)

describe('a line', () => {
  it('is read as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const written = callLine(line)
        expect(written.indexOf('\n')).toBe(written.length - 1)
        expect(readCallLine(written.slice(0, -1))).toEqual({ ok: true, value: line })
      }),
    )
  })

  it('that is something else is rejected, never thrown', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.json()), (each) => {
        expect(readCallLine(each).ok).toBe(false)
      }),
    )
  })
})

describe('the calls of a tab', () => {
  it('come back with their results and without the rows of the timeline of that run', async () => {
    const { outcome, ...call } = answered('1', 'first')
    await store({ ...call, outcome: { ...outcome, exchangeId: '7' } }, answered('2', 'second'))
    expect(await stored()).toEqual([answered('1', 'first'), answered('2', 'second')])
    expect((await stat(await onlyFile())).mode & 0o777).toBe(0o600)
    expect((await files().earlier('another')).ended).toEqual([])
  })

  it('are at most fifty and 16 MiB, the newest', async () => {
    await store(...Array.from({ length: 230 }, (_, index) => answered(String(index), 'x')))
    expect((await stored()).at(-1)?.callId).toBe('229')
    expect((await readFile(await onlyFile(), 'utf8')).split('\n').length).toBeLessThan(230)
    const large = 'x'.repeat(5 * 1024 * 1024)
    await store(...['300', '301', '302', '303'].map((id) => answered(id, large)))
    expect((await stat(await onlyFile())).size).toBeLessThan(16 * 1024 * 1024)
    expect((await stored()).at(-1)).toEqual(answered('303', large))
  })

  it('leave out a result that is too large, and say so', async () => {
    await store(answered('1', 'x'.repeat(9 * 1024 * 1024), '{ "n": 1 }'))
    expect(await stored()).toMatchObject([
      { argumentsText: '{ "n": 1 }', outcome: { type: 'failure', code: 'not-stored' } },
    ])
  })

  it('lose the line that a killed process did not finish, and nothing else', async () => {
    await store(answered('1', 'first'))
    await appendFile(await onlyFile(), '{"ended":{"callId":"2","at":')
    await store(answered('3', 'third'))
    expect((await stored()).map(({ callId }) => callId)).toEqual(['1', '3'])
    expect(notices).toEqual([])
  })

  it('are read as far as they can be from a damaged file, which is kept', async () => {
    await store(answered('1', 'first'), answered('2', 'second'))
    const damaged = (await readFile(await onlyFile(), 'utf8')).replace('{"ended"', '{"ended')
    await writeFile(await onlyFile(), damaged)
    expect((await stored()).map(({ callId }) => callId)).toEqual(['2'])
    expect(notices).toEqual(['set aside: a line is not JSON'])
    const [aside = ''] = (await readdir(folder)).filter((name) => name.includes('set-aside'))
    expect(await readFile(path.join(folder, aside), 'utf8')).toBe(damaged)
    expect((await stored()).map(({ callId }) => callId)).toEqual(['2'])
  })

  it('of a newer Patchbay are kept aside, not read', async () => {
    await store(answered('1', 'first'))
    const newer = (await readFile(await onlyFile(), 'utf8')).replace('"version":1', '"version":2')
    await writeFile(await onlyFile(), newer)
    expect(await stored()).toEqual([])
    expect(notices.join()).toContain('newer Patchbay (format 2')
  })
})

describe('secrets', () => {
  const SECRET = 'hunter2-"quoted"'

  it('that are stored or named reach no file', async () => {
    redaction.register(SECRET)
    const rules = withRules(redaction, [
      { type: 'path', path: 'params.arguments.code' },
      { type: 'key', name: 'pinned' },
    ])
    const typed = `{ "n": 1.0, "text": ${JSON.stringify(SECRET)}, "apiKey": "abc-key", "deep": [{ "password": 12345678 }], "code": "path-code" }`
    const opened = files(() => rules)
    opened.started('tab', { callId: '1', at: 1, argumentsText: typed })
    opened.ended('tab', answered('1', `it is ${SECRET}`, typed))
    await opened.close()
    const written = await readFile(await onlyFile(), 'utf8')
    for (const secret of ['hunter2', 'abc-key', '12345678', 'path-code'])
      expect(written).not.toContain(secret)
    const [call] = await stored()
    expect(JSON.parse(call?.argumentsText ?? '')).toEqual({
      n: 1,
      text: '⟨redacted⟩',
      apiKey: '⟨redacted⟩',
      deep: [{ password: '⟨redacted⟩' }],
      code: '⟨redacted⟩',
    })
  })
})

it('a folder that cannot be written is reported, and nothing fails', async () => {
  await rm(folder, { recursive: true })
  await writeFile(folder, '')
  const opened = files()
  opened.ended('tab', answered('1', 'first'))
  await opened.close()
  expect(notices.length).toBeGreaterThan(0)
})
