import { describe, expect, test } from 'vitest'
import { readEntryFilter } from './entry-filter.ts'
import { entryOfLine, linesOf, type EntryLine } from './entry-line.ts'
import { stableLines, nextRow, rowsOf, type EntryRow } from './entry-rows.ts'
import { sampleEntry, sampleScript } from './sample-state.test-support.ts'

const broken = { code: 'type', message: 'Type string is not assignable to number[].' }

const entries = [
  sampleEntry('add-note', { calls: 1_204, tags: ['Writing'] }),
  sampleEntry('forecast', {
    origin: { kind: 'script', label: 'tools/forecast.ts', file: 'tools/forecast.ts' },
  }),
  sampleEntry('pets_listPets', {
    origin: { kind: 'openapi', label: 'openapi petstore.yaml' },
    enabled: false,
  }),
  sampleEntry('notes://today', {
    key: 'resource:notes://today',
    kind: 'resource',
    origin: { kind: 'script', label: 'resources/today.ts', file: 'resources/today.ts' },
    subscriptions: 2,
  }),
]
const scripts = [
  sampleScript('tools/notes.ts'),
  sampleScript('tools/forecast.ts', { revision: 15, answering: 14, state: 'broken', error: broken }),
  sampleScript('tools/half-written.ts', {
    state: 'broken',
    error: { code: 'syntax', message: 'Expected ")"' },
  }),
  sampleScript('prompts/leak.ts', { state: 'stopped', error: { code: 'stopped', message: 'Crashed.' } }),
]
const lines = linesOf({ entries, scripts }, new Map())

const names = (rows: readonly EntryRow[]): string[] =>
  rows.map((row) => (row.type === 'group' ? `${row.kind} ${row.shown} of ${row.total}` : row.line.name))
const found = (text: string): string[] => names(rowsOf(lines, readEntryFilter(text), new Set()))
const lineNamed = (name: string): EntryLine | undefined => lines.find((line) => line.name === name)

describe('lines', () => {
  test('are two for one name of two sources, and lead to the entry of each', () => {
    const origin = (file: string) => ({ kind: 'script', label: file, file }) as const
    const two = [
      sampleEntry('greet', { origin: origin('tools/a.ts'), state: 'failing', error: broken }),
      sampleEntry('greet', { origin: origin('tools/b.ts') }),
      sampleEntry('greeting', { origin: origin('tools/c.ts') }),
    ]
    const keys = linesOf({ entries: two, scripts: [] }, new Map()).map(({ key }) => key)
    expect(keys).toEqual(['tool:greet of tools/a.ts', 'tool:greet', 'tool:greeting'])
    expect(keys.map((key) => entryOfLine(two, key))).toEqual(two)
    expect(entryOfLine(two, 'tool:gone')).toBeUndefined()
  })

  test('the end of a line is how often it was called, who subscribed, or what is wrong', () => {
    expect(lines.map(({ name, mark }) => `${name}: ${mark.text}`)).toEqual([
      'add-note: 1,204',
      'forecast: error',
      'pets_listPets: 0',
      'notes://today: 2 subs',
      'half-written: error',
      'leak: crashed',
    ])
  })

  test('a script that never loaded has a line where its entries would be, and nothing to switch', () => {
    expect(lineNamed('half-written')).toMatchObject({
      kind: 'tool',
      problem: 'Expected ")"',
      entry: undefined,
    })
    expect(lineNamed('leak')).toMatchObject({ kind: 'prompt' })
  })

  test('marks an override in its source, and finds it by that text', () => {
    const byHand = linesOf(
      { entries: [sampleEntry('mute', { state: 'overridden' })], scripts: [] },
      new Map(),
    )
    expect(byHand[0]?.source).toBe('override of tools/notes.ts')
    expect(names(rowsOf(byHand, readEntryFilter('is:overridden source:notes'), new Set()))).toContain('mute')
  })

  test('a switch shows at once what the user set', () => {
    const [switched] = linesOf({ entries, scripts }, new Map([['tool:add-note', false]]))
    expect(switched).toMatchObject({ name: 'add-note', isOn: false })
  })
})

describe('filter', () => {
  test.each([
    [
      '',
      'tool 4 of 4,add-note,forecast,pets_listPets,half-written,resource 1 of 1,notes://today,prompt 1 of 1,leak',
    ],
    ['note', 'tool 1 of 4,add-note,resource 1 of 1,notes://today'],
    ['is:off source:petstore', 'tool 1 of 4,pets_listPets'],
    ['is:error -kind:prompt', 'tool 2 of 4,forecast,half-written'],
    ['source:openapi', 'tool 1 of 4,pets_listPets'],
    ['notes://today', 'resource 1 of 1,notes://today'],
    ['is:subscribed', 'resource 1 of 1,notes://today'],
    ['-is:on -is:error', 'tool 1 of 4,pets_listPets'],
    ['tag:writ', 'tool 1 of 4,add-note'],
    ['writing', 'tool 1 of 4,add-note'],
    ['nowhere', ''],
  ])('“%s” leaves %s', (text, left) => {
    expect(found(text).join(',')).toBe(left)
  })

  test('a word that means nothing says what is known', () => {
    expect(readEntryFilter('is:broken')).toEqual({
      ok: false,
      reason: 'unknown “is:broken”; use on, off, error, called, overridden, amended, subscribed',
    })
    expect(readEntryFilter('source:')).toEqual({ ok: false, reason: '“source:” needs a value' })
  })
})

describe('rows', () => {
  const rows = rowsOf(lines, readEntryFilter(''), new Set(['resource']))

  test('a closed group keeps its row', () => {
    expect(names(rows)).toContain('resource 1 of 1')
    expect(names(rows)).not.toContain('notes://today')
  })

  test.each([
    ['ArrowDown', 0, 'add-note'],
    ['End', 0, 'leak'],
    ['Home', 4, 'tool 4 of 4'],
    ['ArrowLeft', 3, 'tool 4 of 4'],
    ['f', 0, 'forecast'],
    ['a', 2, 'add-note'],
  ])('%s from row %i leads to %s', (key, from, to) => {
    const row = nextRow(rows, from, key)
    expect(row === undefined ? undefined : names([row])[0]).toBe(to)
  })

  test('a paused order keeps removed entries and lets new ones wait', () => {
    const now = linesOf(
      { entries: [sampleEntry('new'), sampleEntry('add-note', { calls: 7 })], scripts: [] },
      new Map(),
    )
    const held = stableLines(lines.slice(0, 2), now)
    expect(held.map(({ name, mark }) => `${name} ${mark.text}`)).toEqual(['add-note 7', 'forecast error'])
  })
})
