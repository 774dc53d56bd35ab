import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { MemoryStore, type ConversationInfo, type Fact, type Json } from './memory-store.ts'

type Sqlite = typeof import('node:sqlite')

/** Milliseconds for which a write waits for one of another script or process. */
const BUSY_MS = 5_000
const FORMAT = 1

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS conversation (
    id TEXT PRIMARY KEY, snapshot TEXT NOT NULL, saved_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS fact (
    user_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, saved_at TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
  ) STRICT, WITHOUT ROWID;
`

/** Conversations and facts in one SQLite file, with what comes with Node. */
export class SqliteStore extends MemoryStore {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /** Use `SqliteStore.open` where it is not known whether this Node has SQLite. */
  constructor({ DatabaseSync: Database }: Sqlite, file: string) {
    super()
    this.#database = new Database(file)
    // Readers go on while one writes, and confirmed writes are on the disk.
    this.#database.exec(
      `PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`,
    )
    const format = this.#one('PRAGMA user_version')?.['user_version']
    if (format !== 0 && format !== FORMAT) {
      this.#database.close()
      throw new Error(`${file} has format ${String(format)}; this store reads format ${FORMAT}.`)
    }
    this.#database.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${FORMAT}; COMMIT`)
  }

  loadConversation(id: string): Promise<Json | undefined> {
    const row = this.#one('SELECT snapshot FROM conversation WHERE id = ?', id)
    return Promise.resolve(
      row === undefined ? undefined : (JSON.parse(this.decode(textOf(row, 'snapshot'))) as Json),
    )
  }

  saveConversation(id: string, snapshot: Json): Promise<boolean> {
    const text = this.encode(JSON.stringify(snapshot))
    const now = new Date().toISOString()
    const added = this.#run(
      'INSERT INTO conversation (id, snapshot, saved_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
      id,
      text,
      now,
    )
    if (added === 0)
      this.#run('UPDATE conversation SET snapshot = ?, saved_at = ? WHERE id = ?', text, now, id)
    return Promise.resolve(added > 0)
  }

  deleteConversation(id: string): Promise<boolean> {
    return Promise.resolve(this.#run('DELETE FROM conversation WHERE id = ?', id) > 0)
  }

  conversations(): Promise<readonly ConversationInfo[]> {
    const rows = this.#all('SELECT id, saved_at, snapshot FROM conversation ORDER BY id')
    const infos = rows.map((row) => ({
      id: textOf(row, 'id'),
      savedAt: textOf(row, 'saved_at'),
      bytes: Buffer.byteLength(this.decode(textOf(row, 'snapshot'))),
    }))
    return Promise.resolve(infos)
  }

  saveFact(user: string, { key, value }: Fact): Promise<void> {
    this.#run(
      'INSERT OR REPLACE INTO fact (user_id, key, value, saved_at) VALUES (?, ?, ?, ?)',
      user,
      key,
      this.encode(value),
      new Date().toISOString(),
    )
    return Promise.resolve()
  }

  facts(user: string): Promise<readonly Fact[]> {
    const rows = this.#all('SELECT key, value FROM fact WHERE user_id = ? ORDER BY key', user)
    return Promise.resolve(
      rows.map((row) => ({ key: textOf(row, 'key'), value: this.decode(textOf(row, 'value')) })),
    )
  }

  deleteFact(user: string, key: string): Promise<boolean> {
    return Promise.resolve(this.#run('DELETE FROM fact WHERE user_id = ? AND key = ?', user, key) > 0)
  }

  users(): Promise<readonly string[]> {
    const rows = this.#all('SELECT DISTINCT user_id FROM fact ORDER BY user_id')
    return Promise.resolve(rows.map((row) => textOf(row, 'user_id')))
  }

  override close(): Promise<void> {
    this.#database.close()
    return Promise.resolve()
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }

  #one(sql: string, ...values: readonly string[]): Row | undefined {
    return this.#prepared(sql).get(...values)
  }

  #all(sql: string, ...values: readonly string[]): readonly Row[] {
    return this.#prepared(sql).all(...values)
  }

  /** Returns how many rows changed. */
  #run(sql: string, ...values: readonly string[]): number {
    return Number(this.#prepared(sql).run(...values).changes)
  }
}

type Row = Readonly<Record<string, unknown>>

function textOf(row: Row, column: string): string {
  const value = row[column]
  if (typeof value === 'string') return value
  throw new TypeError(`The column ${column} holds ${typeof value}; a text was expected.`)
}
