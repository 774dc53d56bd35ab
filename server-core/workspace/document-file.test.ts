import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdtemp, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import * as fileSystem from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeFileSync as fileWriteSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DocumentFile, type DocumentOptions, type SetAside } from './document-file.ts'
import { systemCode } from './storage-error.ts'
import { FailingFileSystem } from './failing-file-system.test-support.ts'

const schema = z.looseObject({ items: z.array(z.string()).default([]) })
type Content = z.infer<typeof schema>

async function setUp(text?: string) {
  const place = await mkdtemp(path.join(tmpdir(), 'patchbay-document-'))
  const file = path.join(place, 'data.json')
  if (text !== undefined) await writeFile(file, text)
  const asides: SetAside[] = []
  const open = (
    files?: ConstructorParameters<typeof FailingFileSystem>[0],
    more: Partial<DocumentOptions<Content>> = {},
  ) =>
    new DocumentFile<Content>({
      file,
      version: 1,
      schema,
      empty: () => ({ items: [] }),
      onSetAside: (aside) => asides.push(aside),
      ...(files === undefined ? {} : { files }),
      ...more,
    })
  return { place, file, asides, open }
}

const adding = (item: string) => (current: Content) => ({ ...current, items: [...current.items, item] })

describe('a document', () => {
  it('is empty while there is no file, and reading makes none', async () => {
    const { place, open } = await setUp()
    expect(await open().read()).toEqual({ items: [] })
    expect(await readdir(place)).toEqual([])
  })

  it('keeps what was saved, and members that it does not know', async () => {
    const { file, open } = await setUp('{"version":1,"items":["a"],"future":{"x":1}}')
    await open().update(adding('b'))
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      version: 1,
      items: ['a', 'b'],
      future: { x: 1 },
    })
  })

  it.each([
    ['not JSON', '{"version":1,"items":[', 'it is not JSON'],
    ['empty', '', 'it is empty'],
    ['blank', ' \n\t', 'it is empty'],
    ['without a version', '{"items":[]}', 'it has no format version'],
    ['of a newer format', '{"version":2,"items":[]}', 'written by a newer Patchbay'],
    ['of another shape', '{"version":1,"items":"no"}', 'items'],
    ['of NUL bytes', '\0'.repeat(4096), 'it is not JSON'],
    ['too large', `{"version":1,"items":["${'x'.repeat(17 * 1024 * 1024)}"]}`, 'larger than'],
  ])('that is %s is set aside whole, told, and work goes on', async (_what, text, reason) => {
    const { asides, file, open } = await setUp(text)
    expect(await open().read()).toEqual({ items: [] })
    expect(asides).toHaveLength(1)
    expect(asides[0]?.reason).toContain(reason)
    expect(await readFile(asides[0]?.keptAs ?? '', 'utf8')).toBe(text)
    await open().update(adding('a'))
    expect(await open().read()).toMatchObject({ items: ['a'] })
    expect(asides).toHaveLength(1)
    expect(asides[0]?.file).toBe(file)
  })

  it('that people write by hand needs no version, and keeps what they wrote when it is saved', async () => {
    const { file, asides, open } = await setUp('{"serve":{"http":true}}')
    expect(await open(undefined, { byHand: true }).read()).toMatchObject({ items: [] })
    await open(undefined, { byHand: true }).update(adding('a'))
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      version: 1,
      serve: { http: true },
      items: ['a'],
    })
    expect(asides).toEqual([])
  })

  it.each([
    ['names another version', '{"version":"one"}', 'it has no format version'],
    ['is not an object', '[]', 'it has no format version'],
    ['is of a newer format', '{"version":2}', 'written by a newer Patchbay'],
  ])('that people write by hand and %s is set aside all the same', async (_what, text, reason) => {
    const { asides, open } = await setUp(text)
    await open(undefined, { byHand: true }).read()
    expect(asides[0]?.reason).toContain(reason)
  })

  it('that was damaged comes back as it was before its last save', async () => {
    const { file, asides, open } = await setUp()
    await open().update(adding('a'))
    await open().update(adding('b'))
    await writeFile(file, '{"version":1,"it')
    expect(await open().read()).toMatchObject({ items: ['a'] })
    expect(asides).toMatchObject([{ restored: true }])
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ items: ['a'] })
  })

  it('is never changed by a look', async () => {
    const { place, file, open } = await setUp('broken')
    await expect(open().peek()).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('cannot be read: it is not JSON') as string,
    })
    await expect(open(undefined, { onSetAside: 'leave' }).read()).rejects.toMatchObject({ code: 'damaged' })
    expect(await readFile(file, 'utf8')).toBe('broken')
    expect(await readdir(place)).toEqual(['data.json'])
  })

  it('keeps every digit of a number that it does not know, and takes its own as doubles', async () => {
    const numbers = '"big":12345678901234567890,"list":[1e400,0.1000000000000000055511]'
    const { file, open } = await setUp(`{"version":1,"items":["a"],"theirs":{${numbers}}}`)
    await open().update(adding('b'))
    expect((await readFile(file, 'utf8')).replaceAll(/\s/g, '')).toContain(numbers)
    await writeFile(file, '{"version":1.00000000000000000000001,"items":["a"]}')
    expect(await open().read()).toMatchObject({ items: ['a'] })
  })

  it('that is a symbolic link stays one, also when it is bad', async () => {
    const { place, file, asides, open } = await setUp()
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'patchbay-linked-'))
    await symlink(path.relative(place, path.join(elsewhere, 'real.json')), file)
    await open().update(adding('a'))
    expect(await readFile(path.join(elsewhere, 'real.json'), 'utf8')).toContain('"a"')
    await writeFile(file, 'broken')
    await open().update(adding('b'))
    expect((await lstat(file)).isSymbolicLink()).toBe(true)
    expect(JSON.parse(await readFile(path.join(elsewhere, 'real.json'), 'utf8'))).toMatchObject({
      items: ['b'],
    })
    expect(path.dirname(asides[0]?.keptAs ?? '')).toBe(elsewhere)
  })

  it('keeps its mode if others share it, and is private if not', async () => {
    const { file, open } = await setUp('{"version":1}')
    await chmod(file, 0o664)
    await open(undefined, { keepsMode: true }).update(adding('a'))
    expect((await stat(file)).mode & 0o777).toBe(0o664)
    await open().update(adding('a'))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('starts from whatever bytes are in its file', async () => {
    const { file, open } = await setUp()
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json()), async (content) => {
        await writeFile(file, content)
        await open().read()
        await open().update(adding('a'))
        expect((await open().read()).items).toContain('a')
      }),
      { numRuns: 60 },
    )
  })

  it('loses no update when many are made at once', async () => {
    const { open } = await setUp()
    const one = open()
    const other = open()
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).update(adding(String(n)))),
    )
    expect(new Set((await one.read()).items).size).toBe(20)
  })

  it('takes in a change by a program that knows nothing of the lock', async () => {
    const { file, open } = await setUp('{"version":1,"items":["a"]}')
    let meddled = false
    const content = await open().update((current) => {
      if (!meddled) {
        meddled = true
        // Between our reading and our saving.
        fileWriteSync(file, '{"version":1,"items":["a","theirs"]}')
      }
      return adding('ours')(current)
    })
    expect(content.items).toEqual(['a', 'theirs', 'ours'])
  })

  it('keeps its old content and says so when it cannot be saved', async () => {
    const { file, open } = await setUp('{"version":1,"items":["a"]}')
    for (let nth = 1; ; nth += 1) {
      const failing = new FailingFileSystem(fileSystem, nth, 'ENOSPC')
      const outcome = open(failing)
        .update(adding('b'))
        .then(() => 'saved')
      if (await isSaved(outcome)) {
        expect(failing.hasFailed).toBe(false)
        break
      }
      await expect(outcome).rejects.toMatchObject({ name: 'StorageError', code: 'unavailable' })
      await expect(outcome).rejects.toThrow(/data\.json could not be (saved|copied): ENOSPC/)
      const { items } = z
        .object({ items: z.array(z.string()) })
        .parse(JSON.parse(await readFile(file, 'utf8')))
      expect(items[0]).toBe('a')
    }
    expect((await open().read()).items.at(-1)).toBe('b')
  })
})

describe('a process that is killed while it saves', () => {
  it('leaves the old or the new content, and loses nothing that it had acknowledged', async () => {
    const { place, file, asides, open } = await setUp()
    let acknowledged = -1
    for (let round = 0; round < 8; round += 1) {
      const child = fork(
        path.join(import.meta.dirname, 'saving.test-support.ts'),
        [file, String(acknowledged + 1)],
        {
          execArgv: [],
        },
      )
      child.on('message', (saved) => (acknowledged = Math.max(acknowledged, Number(saved))))
      await once(child, 'message')
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 23))
      child.kill('SIGKILL')
      await once(child, 'exit')
      await letTimePass(`${file}.lock`)
      const { items } = await open().peek()
      expect(items.length).toBeGreaterThanOrEqual(acknowledged + 1)
      expect(items.every((item, index) => item.startsWith(`${index} `))).toBe(true)
      acknowledged = items.length - 1
    }
    expect(asides).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(7)
    await open().update(adding('last'))
    expect(await readdir(place)).toEqual(['data.json', 'data.json.previous'])
  }, 60_000)
})

/** Makes the lock of a killed process as old as it would be some seconds later. */
async function letTimePass(lock: string): Promise<void> {
  const before = new Date(Date.now() - 10_000)
  await utimes(lock, before, before).catch((error: unknown) => {
    // It was killed outside the lock.
    if (systemCode(error) !== 'ENOENT') throw error
  })
}

async function isSaved(outcome: Promise<string>): Promise<boolean> {
  return outcome.then(
    () => true,
    () => false,
  )
}
