import type { ChildProcess } from 'node:child_process'
import { endTree, registerGroup } from './end-tree.ts'
import type { ProcessBook } from './process-book.ts'
import { MARK_VARIABLE, nextMark } from './process-mark.ts'
import { identityOf } from './process-table.ts'
import type { ProcessIdentity } from './process-tree.ts'
import { guardTree } from './tree-guard.ts'

/**
 * Sees to it that one child ends with all that it starts: when it is told to, when this process ends, and when this
 * process is killed. To be made before the child is; the child is a group of its own (`detached`) but on Windows.
 */
export class ChildKeeper {
  /** What the child's environment must have. */
  readonly environment: Readonly<Record<string, string>>
  readonly #mark = nextMark()
  readonly #guard = guardTree(this.#mark)
  readonly #book: ProcessBook | undefined
  #identity: Promise<ProcessIdentity | undefined> = Promise.resolve(undefined)

  constructor(book?: ProcessBook) {
    this.environment = { [MARK_VARIABLE]: this.#mark }
    this.#book = book
  }

  /** @param command what it was started by, for people */
  started({ pid }: ChildProcess, command: string): void {
    if (pid === undefined) return
    registerGroup(pid)
    this.#guard.watch(pid)
    this.#identity = identityOf(pid).then((identity) => {
      if (identity !== undefined) this.#book?.started(identity, command)
      return identity
    })
  }

  /** For when there is no child after all. */
  notStarted(): Promise<void> {
    return this.#guard.callOff()
  }

  /**
   * Ends the child, if it has not ended, and all that it started (see `endTree`). Never throws.
   *
   * @param exited resolves when the child itself is gone
   * @param graceMs milliseconds before each harder step
   */
  async end(child: ChildProcess, exited: Promise<unknown>, graceMs: number): Promise<void> {
    const leader = await this.#identity
    await endTree({ child, exited, leader, mark: this.#mark, graceMs })
    if (leader !== undefined) this.#book?.ended(leader)
    await this.#guard.callOff()
  }
}
