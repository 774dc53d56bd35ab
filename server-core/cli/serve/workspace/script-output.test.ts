import { expect, it } from 'vitest'
import type { ScriptLogLine, ScriptState } from '../../../live/live-state.ts'
import { ScriptOutput } from './script-output.ts'

const OF = { id: 1, at: 0, file: 'tools/a.ts', revision: 2 }
const PLACE = { file: OF.file, line: 3, column: 5, text: '' }

function told(
  lines: readonly ScriptLogLine[],
  broken: readonly ScriptState[] = [],
  logged: readonly ScriptLogLine[] = [],
): string[] {
  const said: string[] = []
  const level = (name: string) => (text: string) => said.push(`${name} ${text}`)
  const scripts = new ScriptOutput({ error: level('error'), info: level('info'), debug: level('debug') })
  scripts.begin(broken, logged)
  scripts.writeStderr(lines)
  return said
}

it('reports what a handler threw once, with its place', () => {
  const call = { ...OF, callId: '7' }
  expect(
    told([
      { ...call, kind: 'call', text: 'a {} from somebody' },
      { ...OF, kind: 'error', text: 'it broke', place: PLACE },
      { ...call, kind: 'error', text: 'it broke (after 3 ms)' },
      { ...call, kind: 'error', text: 'the time limit is over (after 3 s)' },
      { ...call, file: 'tools/b.ts', kind: 'error', text: 'it broke (after 3 ms)' },
    ]),
  ).toEqual([
    'debug tools/a.ts (revision 2): a {} from somebody',
    'error tools/a.ts:3:5 (revision 2): it broke',
    'debug tools/a.ts (revision 2): it broke (after 3 ms)',
    'error tools/a.ts (revision 2): the time limit is over (after 3 s)',
    'error tools/b.ts (revision 2): it broke (after 3 ms)',
  ])
})

it('reports what scripts print, and what belongs to no script', () => {
  expect(
    told([
      { ...OF, kind: 'stdout', text: 'hello' },
      { ...OF, kind: 'error', text: 'switched off: it crashed' },
      { ...OF, file: '', kind: 'stderr', text: 'stray' },
    ]),
  ).toEqual([
    'info tools/a.ts (revision 2): hello',
    'error tools/a.ts (revision 2): switched off: it crashed',
    'info scripts: stray',
  ])
})

it('tells each failure of a call, and what a handler threw again', () => {
  const thrown = { ...OF, kind: 'error', text: 'it broke', place: PLACE } as const
  const ended = { ...OF, kind: 'error', callId: '7', text: 'it broke (after 3 ms)' } as const
  expect(told([thrown, thrown, { ...thrown, file: 'tools/b.ts' }, ended, ended, ended])).toEqual([
    'error tools/a.ts:3:5 (revision 2): it broke',
    'error tools/a.ts:3:5 (revision 2): it broke',
    'error tools/b.ts (revision 2): tools/a.ts:3:5: it broke',
    'debug tools/a.ts (revision 2): it broke (after 3 ms)',
    'debug tools/a.ts (revision 2): it broke (after 3 ms)',
    'error tools/a.ts (revision 2): it broke (after 3 ms)',
  ])
})

it('tells a fault of the configuration once, with the scripts that fail for it', () => {
  const place = { file: 'patchbay.config.ts', line: 2, column: 16, text: '' }
  const state = { state: 'broken', revision: 1, at: 0, entries: [], imports: [] } as const
  const error = { code: 'invalid', message: 'cannot be used', at: place }
  const files = ['tools/a.ts', 'patchbay.config.ts', 'tools/b.ts']
  const again = files.map((file, id) => ({
    ...OF,
    id: id + 1,
    file,
    revision: 1,
    isLoading: true as const,
    kind: 'error' as const,
    text: 'cannot be used',
    place,
  }))
  expect(
    told(
      // A file that went and came back counts its revisions again.
      [...again, ...again.map((line) => ({ ...line, id: line.id + again.length }))],
      [
        { ...state, file: 'tools/0.ts', error: { code: 'invalid', message: 'makes nothing' } },
        ...files.map((file) => ({ ...state, file, error })),
      ],
      again,
    ),
  ).toEqual([
    'error tools/0.ts (revision 1): makes nothing',
    'error patchbay.config.ts:2:16 (revision 1): cannot be used (tools/a.ts, tools/b.ts cannot be loaded for it)',
    'error patchbay.config.ts:2:16 (revision 1): cannot be used (tools/a.ts, tools/b.ts cannot be loaded for it)',
  ])
})
