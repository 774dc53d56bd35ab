import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'patchbay'
import { MemoryStore, type ConversationInfo, type Fact, type Json } from './memory-store.ts'

const conversation = z.object({ id: z.string(), saved_at: z.string(), snapshot: z.string() })
const fact = z.object({ user_id: z.string(), key: z.string(), value: z.string(), saved_at: z.string() })

/**
 * Conversations and facts as JSON files in a folder, one for each. A file is named by the hash of what it is about, so
 * that any id is fine on any system, and is written whole or not at all.
 */
export class FileStore extends MemoryStore {
  readonly #folder: string

  constructor(folder: string) {
    super()
    this.#folder = folder
  }

  async loadConversation(id: string): Promise<Json | undefined> {
    const found = await read(this.#conversation(id), conversation)
    return found === undefined ? undefined : (JSON.parse(this.decode(found.snapshot)) as Json)
  }

  async saveConversation(id: string, snapshot: Json): Promise<boolean> {
    const file = this.#conversation(id)
    const isFirst = (await read(file, conversation)) === undefined
    const text = this.encode(JSON.stringify(snapshot))
    await write(file, { id, saved_at: new Date().toISOString(), snapshot: text })
    return isFirst
  }

  deleteConversation(id: string): Promise<boolean> {
    return remove(this.#conversation(id))
  }

  async conversations(): Promise<readonly ConversationInfo[]> {
    const found = await readAll(path.join(this.#folder, 'conversations'), conversation)
    return found
      .map(({ id, saved_at: savedAt, snapshot }) => ({
        id,
        savedAt,
        bytes: Buffer.byteLength(this.decode(snapshot)),
      }))
      .sort((a, b) => compare(a.id, b.id))
  }

  saveFact(user: string, { key, value }: Fact): Promise<void> {
    const saved = { user_id: user, key, value: this.encode(value), saved_at: new Date().toISOString() }
    return write(this.#fact(user, key), saved)
  }

  async facts(user: string): Promise<readonly Fact[]> {
    const found = await readAll(this.#user(user), fact)
    return found
      .map(({ key, value }) => ({ key, value: this.decode(value) }))
      .sort((a, b) => compare(a.key, b.key))
  }

  deleteFact(user: string, key: string): Promise<boolean> {
    return remove(this.#fact(user, key))
  }

  async users(): Promise<readonly string[]> {
    const folder = path.join(this.#folder, 'users')
    const all = await Promise.all(
      (await namesIn(folder)).map((name) => readAll(path.join(folder, name), fact)),
    )
    return all.flatMap(([first]) => (first === undefined ? [] : [first.user_id])).sort(compare)
  }

  #conversation(id: string): string {
    return path.join(this.#folder, 'conversations', `${hashOf(id)}.json`)
  }

  #user(user: string): string {
    return path.join(this.#folder, 'users', hashOf(user))
  }

  #fact(user: string, key: string): string {
    return path.join(this.#user(user), `${hashOf(key)}.json`)
  }
}

async function write(file: string, value: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const fresh = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(fresh, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(fresh, file)
  } finally {
    await rm(fresh, { force: true })
  }
}

/** Undefined if there is no such file. Rejects with an error that names a file which holds something else. */
async function read<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${file} holds nothing that this store wrote.`, { cause })
  }
}

async function readAll<T>(folder: string, schema: z.ZodType<T>): Promise<readonly T[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json'))
  const all = await Promise.all(names.map((name) => read(path.join(folder, name), schema)))
  return all.filter((one) => one !== undefined)
}

async function remove(file: string): Promise<boolean> {
  try {
    await rm(file)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}

/** As SQLite compares texts. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
