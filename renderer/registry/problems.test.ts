import { expect, test } from 'vitest'
import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import { mergedLog } from './log-text.ts'
import { problemsOf } from './problems.ts'
import { sampleEntry, sampleScript } from './sample-state.test-support.ts'

const state: RegistryState = {
  workspace: { folder: '/w', name: 'w', isDefault: false, generation: 1 },
  trust: 'trusted',
  wouldRun: [],
  opening: false,
  serving: true,
  entries: [
    sampleEntry('add-note', { state: 'failing', error: { code: 'syntax', message: 'Expected ")"' } }),
    sampleEntry('pets.list', {
      origin: { kind: 'openapi', label: 'openapi pets.yaml' },
      error: { code: 'collision', message: 'pets.list is taken by tools/pets.ts' },
    }),
  ],
  scripts: [
    sampleScript('tools/notes.ts', {
      state: 'broken',
      answering: 3,
      error: { code: 'syntax', message: 'Expected ")"' },
    }),
    sampleScript('tools/leak.ts', { state: 'stopped', error: { code: 'stopped', message: 'It crashed.' } }),
    sampleScript('tools/fine.ts'),
  ],
  faults: [{ code: 'patchbay.json', message: 'amendments: expected an object' }],
  added: [],
  clients: [],
  toolHost: { spareReady: false },
}

test('a problem is listed once, where it can be fixed, with the present state', () => {
  expect(problemsOf(state, new Map()).map(({ where, meanwhile }) => `${where}: ${meanwhile}`)).toEqual([
    'workspace: Unaffected entries are served.',
    'tools/notes.ts: Revision 3 is still active.',
    'tools/leak.ts: Off until saved or switched on again.',
    'pets.list: This entry is not served; all others are.',
  ])
})

test('problems of the editor in open files come last, without hints and without those that loading found too', () => {
  const at = { file: 'tools/notes.ts', line: 3, column: 1, text: 'x' }
  const scripts = [
    sampleScript('tools/notes.ts', {
      state: 'broken',
      error: { code: 'syntax', message: 'Expected ")"', at },
    }),
  ]
  const found = new Map([
    [
      'tools/notes.ts',
      [
        { severity: 'error', message: 'Expected ")"', source: 'loading', line: 3, column: 1 },
        { severity: 'warning', message: 'x is never read.', source: 'ts 6133', line: 1, column: 7 },
        { severity: 'hint', message: 'Could be const.', source: undefined, line: 1, column: 1 },
      ] as const,
    ],
  ])
  expect(
    problemsOf({ ...state, scripts, entries: [], faults: [] }, found).map(
      ({ tone, fault }) => `${tone} ${fault.message}`,
    ),
  ).toEqual(['error Expected ")"', 'warning x is never read.'])
})

test('the log joins what was kept with what came since, each line once', () => {
  const line = (id: number, file: string) => ({
    id,
    file,
    revision: 1,
    at: 0,
    kind: 'info' as const,
    text: '',
  })
  const kept = [line(1, 'a.ts'), line(3, 'a.ts')]
  const news = [line(3, 'a.ts'), line(4, 'b.ts'), line(5, 'a.ts')]
  expect(mergedLog(kept, news, 'a.ts').map(({ id }) => id)).toEqual([1, 3, 5])
  expect(mergedLog(kept, news, undefined).map(({ id }) => id)).toEqual([1, 3, 4, 5])
})
