import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { FileStore } from './file-store.ts'
import { MemoryStore } from './memory-store.ts'
import { SqliteStore } from './sqlite-store.ts'

export type StoreKind = 'sqlite' | 'files'

/** The file of the one store, the folder of the other. */
const SQLITE_FILE = 'memory.sqlite'
const FILES_FOLDER = 'files'

/**
 * Opens the store in a folder: the one that is there, or a new one, in SQLite where this Node has it. `wanted` says which
 * it must be. Rejects with an error if that cannot be: what was remembered is never left aside in silence.
 */
export async function openStore(folder: string, wanted?: string): Promise<MemoryStore> {
  if (wanted !== undefined && wanted !== 'sqlite' && wanted !== 'files') {
    throw new Error(`MEMORY_STORE is "${wanted}"; expected sqlite or files.`)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kind = wanted ?? found(folder)
  if (kind === 'files') return new FileStore(path.join(folder, FILES_FOLDER))
  const sqlite = await loadSqlite()
  if (sqlite !== undefined) return new SqliteStore(sqlite, path.join(folder, SQLITE_FILE))
  if (kind === 'sqlite') {
    throw new Error(
      `The memory in ${folder} is kept by SQLite, which this runtime (Node ${process.version}) does not have. Use Node 22.13 or newer, or another folder.`,
    )
  }
  console.error(`This runtime (Node ${process.version}) has no SQLite: what is remembered is kept in files.`)
  return new FileStore(path.join(folder, FILES_FOLDER))
}

/** What `ctx.lifespan` holds. Throws a `TypeError` if that is not a store. */
export function storeOf({ lifespan }: { readonly lifespan: unknown }): MemoryStore {
  if (lifespan instanceof MemoryStore) return lifespan
  throw new TypeError('patchbay.config.ts gives no memory store: its lifespan must open one.')
}

function found(folder: string): StoreKind | undefined {
  if (existsSync(path.join(folder, SQLITE_FILE))) return 'sqlite'
  return existsSync(path.join(folder, FILES_FOLDER)) ? 'files' : undefined
}

/** In Node since 22.5, without a flag since 22.13; other runtimes may leave it out. */
async function loadSqlite(): Promise<typeof import('node:sqlite') | undefined> {
  try {
    return await import('node:sqlite')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_UNKNOWN_BUILTIN_MODULE') return undefined
    throw error
  }
}
