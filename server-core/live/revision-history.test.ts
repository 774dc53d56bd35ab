import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { KeptRevisions, type KeptRevision } from './kept-revisions.ts'
import { RevisionHistory } from './revision-history.ts'

let above: string
let folder: string
let file: string
beforeEach(async () => {
  above = await realpath(await mkdtemp(path.join(tmpdir(), 'history-')))
  folder = await mkdtemp(path.join(above, 'workspace-'))
  file = path.join(folder, 'a.ts')
})
afterEach(() => rm(above, { recursive: true }))

const tool = (description: string): KeptRevision['definitions'] =>
  new Map([['tool:a', { name: 'a', description }]])

function historyOf(
  revisions: readonly Partial<KeptRevision>[],
  entries: readonly string[] = [],
): RevisionHistory {
  const kept = new KeptRevisions()
  for (const [at, revision] of revisions.entries()) {
    const defaults = { at, sources: new Map(), definitions: new Map(), changedWhatClientsSee: false }
    kept.add({ revision: at + 1, ...defaults, ...revision }, 1)
  }
  return new RevisionHistory(folder, {
    states: () => [{ file: 'a.ts', entries } as never],
    kept: (name) => (name === 'a.ts' ? { revisions: kept, answering: 1 } : undefined),
  })
}

it('lists the newest revision first and marks the one that answers', () => {
  const error = { code: 'syntax', message: 'no' } as never
  const history = historyOf([{ sources: new Map([[file, 'one']]) }, { error }])
  expect(history.list('a.ts')).toMatchObject([
    { revision: 2, state: 'broken', answers: false, text: '' },
    { revision: 1, state: 'loaded', answers: true, text: 'one' },
  ])
  expect(history.list('b.ts')).toEqual([])
})

it('compares an entry with the answering revision, also one that is not served any more', () => {
  const history = historyOf([{ definitions: tool('one') }, { definitions: tool('two') }])
  expect(history.differences('tool:a', 2)).toMatchObject({
    before: { description: 'two' },
    after: { description: 'one' },
    changes: [{}],
  })
  expect(() => history.differences('tool:b', 2)).toThrow('No script makes tool:b')
  expect(() => historyOf([], ['tool:a']).differences('tool:a', 9)).toThrow('Revision 9 of a.ts')
})

it('writes back the sources inside of the folder only', async () => {
  const outside = path.join(above, 'outside.ts')
  const installed = path.join(folder, 'node_modules/x.ts')
  await writeFile(outside, 'new')
  await writeFile(file, 'new')
  const sources = new Map([file, outside, installed].map((each) => [each, 'old'] as const))
  expect(await historyOf([{ sources }]).backTo('a.ts', 1)).toEqual(['a.ts'])
  expect(await Promise.all([readFile(file, 'utf8'), readFile(outside, 'utf8')])).toEqual(['old', 'new'])
})
