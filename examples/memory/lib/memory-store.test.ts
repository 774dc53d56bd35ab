import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import * as sqlite from 'node:sqlite'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileStore } from './file-store.ts'
import type { MemoryStore } from './memory-store.ts'
import { openStore } from './open-store.ts'
import { SqliteStore } from './sqlite-store.ts'

let folder = ''
const open: MemoryStore[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'memory-'))
})
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
  await rm(folder, { recursive: true })
})

/** A store that is closed with the test. */
function opened<S extends MemoryStore>(store: S): S {
  open.push(store)
  return store
}

/** Turns texts around: enough to see that nothing is written in the open. */
class MirroredSqlite extends SqliteStore {
  protected override encode(text: string): string {
    return [...text].reverse().join('')
  }
  protected override decode(text: string): string {
    return this.encode(text)
  }
}

/** Opens another store that remembers no secrets. */
class DiscreetFiles extends FileStore {
  override async saveFact(...[user, fact]: Parameters<FileStore['saveFact']>): Promise<void> {
    if (fact.key !== 'password') await super.saveFact(user, fact)
  }
}

const kinds: readonly (readonly [string, () => MemoryStore])[] = [
  ['in SQLite', () => new SqliteStore(sqlite, path.join(folder, 'm.sqlite'))],
  ['in files', () => new FileStore(path.join(folder, 'm'))],
  ['of a subclass of the one', () => new MirroredSqlite(sqlite, path.join(folder, 'm.sqlite'))],
  ['of a subclass of the other', () => new DiscreetFiles(path.join(folder, 'm'))],
]

describe.each(kinds)('a store %s', (_name, make) => {
  it('keeps the last snapshot of each conversation, whatever its id', async () => {
    const store = opened(make())
    const ids = ['c1', '../../etc/passwd', 'Ümlaut 🦉', 'a/b?c#d', "'; DROP TABLE fact; --", 'C1']
    for (const id of ids) expect(await store.saveConversation(id, { messages: [{ content: id }] })).toBe(true)
    expect(await store.saveConversation('c1', ['later'])).toBe(false)
    expect(await store.loadConversation('c1')).toEqual(['later'])
    for (const id of ids.slice(1))
      expect(await store.loadConversation(id)).toEqual({ messages: [{ content: id }] })
    expect((await store.conversations()).map(({ id }) => id)).toEqual(
      ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
    expect((await store.conversations()).find(({ id }) => id === 'c1')?.bytes).toBe('["later"]'.length)
    expect(await store.deleteConversation('c1')).toBe(true)
    expect(await store.deleteConversation('c1')).toBe(false)
    expect(await store.loadConversation('c1')).toBeUndefined()
  })

  it('keeps facts by user and key', async () => {
    const store = opened(make())
    await store.saveFact('ada', { key: 'language', value: 'English' })
    await store.saveFact('ada', { key: 'colour', value: 'blue' })
    await store.saveFact('ada', { key: 'language', value: 'French' })
    await store.saveFact('bob', { key: 'language', value: 'Dutch' })
    expect(await store.facts('ada')).toEqual([
      { key: 'colour', value: 'blue' },
      { key: 'language', value: 'French' },
    ])
    expect(await store.users()).toEqual(['ada', 'bob'])
    expect(await store.deleteFact('bob', 'language')).toBe(true)
    expect(await store.deleteFact('bob', 'language')).toBe(false)
    expect([await store.facts('bob'), await store.users()]).toEqual([[], ['ada']])
  })

  it('is one with the others at the same place, also when it is opened again', async () => {
    const [first, second] = [opened(make()), opened(make())]
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 === 0 ? first : second).saveFact('ada', { key: `k${at}`, value: 'x' }),
      ),
    )
    expect(await first.facts('ada')).toHaveLength(40)
    expect(await opened(make()).facts('ada')).toHaveLength(40)
  })
})

describe('stores of one’s own', () => {
  it('write what their class says', async () => {
    const mirrored = new MirroredSqlite(sqlite, path.join(folder, 'm.sqlite'))
    await mirrored.saveFact('ada', { key: 'k', value: 'plain words' })
    await mirrored.close()
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'latin1')),
    )
    expect(files.join('')).toContain('sdrow nialp')
    expect(files.join('')).not.toContain('plain words')

    const discreet = new DiscreetFiles(path.join(folder, 'm'))
    await discreet.saveFact('ada', { key: 'password', value: 'secret' })
    expect(await discreet.facts('ada')).toEqual([])
  })
})

describe('opening a store', () => {
  it('takes the one that is there, else SQLite', async () => {
    const first = opened(await openStore(folder))
    expect(first).toBeInstanceOf(SqliteStore)
    const files = path.join(folder, 'other')
    await opened(await openStore(files, 'files')).saveFact('ada', { key: 'k', value: 'v' })
    const again = opened(await openStore(files))
    expect(again).toBeInstanceOf(FileStore)
    expect(await again.facts('ada')).toEqual([{ key: 'k', value: 'v' }])
  })

  it('says what it cannot open', async () => {
    await expect(openStore(folder, 'clay tablets')).rejects.toThrow('expected sqlite or files')
    await writeFile(
      path.join(folder, 'memory.sqlite'),
      'this is not a database, and long enough to differ from one',
    )
    await expect(openStore(folder)).rejects.toThrow('file is not a database')
    const store = new FileStore(path.join(folder, 'm'))
    await store.saveConversation('c', {})
    const [name = ''] = await readdir(path.join(folder, 'm', 'conversations'))
    await writeFile(path.join(folder, 'm', 'conversations', name), '{}')
    await expect(store.loadConversation('c')).rejects.toThrow(name)
  })

  it('leaves a newer format alone', async () => {
    const file = path.join(folder, 'memory.sqlite')
    const database = new sqlite.DatabaseSync(file)
    database.exec('PRAGMA user_version = 7')
    database.close()
    await expect(openStore(folder)).rejects.toThrow('has format 7')
  })
})
