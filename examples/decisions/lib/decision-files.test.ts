import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'patchbay/yaml'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DecisionFiles } from './decision-files.ts'
import { exclusively } from './exclusive.ts'
import { InputError } from './faults.ts'
import { sample } from './sample-decision.test-support.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'decisions-'))
})
afterEach(() => rm(folder, { recursive: true }))

const add = (files: DecisionFiles, text = 'Use PostgreSQL') =>
  files.add((id) => sample({ id, decision: text, tags: ['database'] }))

describe('the files of decisions', () => {
  it('are YAML, one for each, under year and month', async () => {
    const { decision, file } = await add(new DecisionFiles(folder))
    expect(file).toBe(path.join('2026', '06', `2026-06-01-decision-${decision.id}.yaml`))
    const text = await readFile(path.join(folder, file), 'utf8')
    // An id that could be a number, as 12e45678, is quoted.
    expect(parse(text)).toMatchObject({ id: decision.id, decision: 'Use PostgreSQL' })
    expect(text).toContain('tags:\n  - database\n')
    expect(text).not.toContain('links')
    expect(await readdir(folder)).toEqual(['2026'])
  })

  it('are seen by others, and as others leave them', async () => {
    const [mine, theirs] = [new DecisionFiles(folder), new DecisionFiles(folder)]
    const { decision, file } = await add(mine)
    expect(await theirs.find(decision.id)).toMatchObject({ decision: { decision: 'Use PostgreSQL' } })
    await theirs.change(decision.id, (before) => ({ ...before, decision: 'Use SQLite' }))
    expect(await mine.find(decision.id.slice(0, 6))).toMatchObject({ decision: { decision: 'Use SQLite' } })
    await rm(path.join(folder, file))
    expect(await mine.all()).toEqual([])
    await expect(mine.find(decision.id)).rejects.toThrow(InputError)
  })

  it('reports invalid decisions and leaves them alone, keeps unknown members', async () => {
    await mkdir(path.join(folder, 'old'))
    await writeFile(path.join(folder, 'old', 'broken.yaml'), 'id: [')
    await writeFile(path.join(folder, 'half.yml'), 'id: abc\ndecision: x')
    await writeFile(
      path.join(folder, 'mine.yaml'),
      'id: "00000001"\ndecision: By hand\nconfidence: 1\ncategory: process\nstakes: low\nstatus: pending\n' +
        'date: 2026-01-01T00:00:00Z\nreview_by: 2026-01-31T00:00:00Z\nmood: good\n',
    )
    const files = new DecisionFiles(folder)
    expect((await files.problems()).map(({ file }) => file).sort()).toEqual([
      'half.yml',
      path.join('old', 'broken.yaml'),
    ])
    await files.change('00000001', (before) => ({ ...before, notes: 'seen' }))
    expect(await readFile(path.join(folder, 'mine.yaml'), 'utf8')).toMatch(/^mood: good$/m)
    expect(await readFile(path.join(folder, 'half.yml'), 'utf8')).toBe('id: abc\ndecision: x')
  })

  it('lose no change when many write at once', async () => {
    const { decision } = await add(new DecisionFiles(folder))
    const writers = [new DecisionFiles(folder), new DecisionFiles(folder), new DecisionFiles(folder)]
    const changes = writers.flatMap((files) =>
      Array.from({ length: 8 }, (_, at) =>
        files.change(decision.id, (before) => ({ ...before, tags: [...before.tags, `${at}`] })),
      ),
    )
    await Promise.all(changes)
    const { decision: after } = await new DecisionFiles(folder).find(decision.id)
    expect(after.tags).toHaveLength(25)
    expect((await readdir(folder)).filter((name) => name !== '2026')).toEqual([])
  })

  it('that are refused say why', async () => {
    const files = new DecisionFiles(folder)
    await add(files, 'one')
    await add(files, 'two')
    await expect(files.find('')).rejects.toThrow('There is no decision with the id ""')
    await expect(files.find('zz')).rejects.toThrow('There is no decision with the id "zz"')
    const { decision } = await add(files)
    await expect(files.change(decision.id, (before) => ({ ...before, confidence: 2 }))).rejects.toThrow(
      'confidence',
    )
    expect((await files.find(decision.id)).decision.confidence).toBe(0.8)
  })
})

describe('work that excludes other work', () => {
  it('goes on when the holder of the lock has ended, or forgot it', async () => {
    const lock = path.join(folder, '.lock')
    // No process has this id.
    await writeFile(lock, `${2 ** 30} x`)
    expect(await exclusively(lock, () => Promise.resolve('done'))).toBe('done')
    await writeFile(lock, `${process.pid} x`)
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(lock, longAgo, longAgo)
    expect(await exclusively(lock, () => Promise.resolve('done'))).toBe('done')
    expect(await readdir(folder)).toEqual([])
  })

  it('frees the lock when it fails', async () => {
    const lock = path.join(folder, '.lock')
    await expect(exclusively(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await readdir(folder)).toEqual([])
  })
})
