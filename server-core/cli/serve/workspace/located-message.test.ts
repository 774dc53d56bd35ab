import { expect, test } from 'vitest'
import { locatedMessage } from './located-message.ts'

const at = { file: 'tools/a.ts', line: 4, column: 2, text: '})' }

test.each([
  [
    { file: 'tools/a.ts', message: 'tools/a.ts cannot be built: x', at },
    'tools/a.ts:4:2: cannot be built: x',
  ],
  [
    { file: 'tools/a.ts', revision: 3, message: 'no such thing', at },
    'tools/a.ts:4:2 (revision 3): no such thing',
  ],
  [{ file: 'tools/a.ts', message: 'tools/a.ts must export a tool' }, 'tools/a.ts: must export a tool'],
  [{ file: 'tools/a.ts', revision: 1, message: 'hello' }, 'tools/a.ts (revision 1): hello'],
  [
    { file: 'tools/b.ts', revision: 2, message: 'tools/b.ts cannot be built: x', at },
    'tools/b.ts (revision 2): tools/a.ts:4:2: tools/b.ts cannot be built: x',
  ],
])('%j names each file once', (said, words) => {
  expect(locatedMessage(said)).toBe(words)
})
