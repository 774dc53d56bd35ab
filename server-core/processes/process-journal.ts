import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { ProcessRegistry } from './process-registry.ts'
import { RUN } from './process-mark.ts'
import { bootName, processOf } from './process-table.ts'
import type { ProcessIdentity } from './process-tree.ts'

/** The first line of a journal: whose it is. */
export type JournalHead = {
  readonly run: string
  /** The boot that start times count from. */
  readonly boot: string
  readonly host: ProcessIdentity
}

/** Every further line. */
export type JournalLine =
  { readonly started: ProcessIdentity; readonly command: string } | { readonly ended: ProcessIdentity }

/**
 * A file of its own for each run of a host, with a line for each process that starts and ends. It is written at once
 * (no sync: it must survive a killed host, and no process outlives a machine), and deleted when the run ends.
 */
export class ProcessJournal implements ProcessRegistry {
  readonly #file: string
  readonly #onFault: (error: unknown) => void
  readonly #open = new Set<number>()
  #descriptor: number | undefined
  #headLength = 0

  private constructor(file: string, onFault: (error: unknown) => void) {
    this.#file = file
    this.#onFault = onFault
  }

  /**
   * Begins the journal of this run.
   *
   * @param folder made if it is not there
   * @param onFault called once if nothing can be written; processes start all the same
   */
  static async begin(folder: string, onFault: (error: unknown) => void): Promise<ProcessJournal> {
    const journal = new ProcessJournal(path.join(folder, `${RUN}.jsonl`), onFault)
    const { startedAt = 0 } = (await processOf(process.pid)) ?? {}
    const head: JournalHead = { run: RUN, boot: bootName(), host: { pid: process.pid, startedAt } }
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      // What a host of this same process had there is over: it deletes its journal when it ends.
      rmSync(journal.#file, { force: true })
      journal.#descriptor = openSync(journal.#file, 'a', 0o600)
      journal.#headLength = journal.#write(head)
    } catch (error) {
      onFault(error)
    }
    return journal
  }

  started({ pid, startedAt }: ProcessIdentity, command: string): void {
    this.#open.add(pid)
    this.#write({ started: { pid, startedAt }, command })
  }

  ended({ pid, startedAt }: ProcessIdentity): void {
    this.#open.delete(pid)
    this.#write({ ended: { pid, startedAt } })
    // A long run must not fill the disk with what is over.
    if (this.#open.size === 0) this.#attempt((descriptor) => ftruncateSync(descriptor, this.#headLength))
  }

  /** Everything has ended: nothing is left to remember. */
  close(): void {
    if (this.#descriptor === undefined) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
    rmSync(this.#file, { force: true })
  }

  /** Returns the bytes that were written. */
  #write(line: JournalHead | JournalLine): number {
    return this.#attempt((descriptor) => writeSync(descriptor, `${JSON.stringify(line)}\n`)) ?? 0
  }

  #attempt<Value>(change: (descriptor: number) => Value): Value | undefined {
    if (this.#descriptor === undefined) return undefined
    try {
      return change(this.#descriptor)
    } catch (error) {
      closeSync(this.#descriptor)
      this.#descriptor = undefined
      this.#onFault(error)
      return undefined
    }
  }
}
