import { expect, it } from 'vitest'
import type { ScriptLogLine } from '../live/live-state.ts'
import { ScriptLines } from './script-lines.ts'

const OF = { id: 1, at: 0, file: 'tools/a.ts', revision: 2 }
const PLACE = { file: OF.file, line: 3, column: 5, text: '' }

function told(lines: readonly ScriptLogLine[]): string[] {
  const said: string[] = []
  const level = (name: string) => (text: string) => said.push(`${name} ${text}`)
  const scripts = new ScriptLines({ error: level('error'), info: level('info'), debug: level('debug') })
  for (const line of lines) scripts.tell(line)
  return said
}

it('tells what a handler threw once, with its place', () => {
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

it('tells what scripts print, and what belongs to no script', () => {
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
