import { endTree, killTree, registerGroup, type TreeRoot } from './end-tree.ts'
import type { ProcessRegistry } from './process-registry.ts'
import { MARK_VARIABLE, nextMark } from './process-mark.ts'
import { identityOf } from './process-table.ts'
import { hasLimitMark, setLimitMark } from './limit-mark.ts'
import { ProcessTree, type ProcessIdentity } from './process-tree.ts'
import { guardTree, type TreeGuard } from './tree-guard.ts'

/** Times that what a child has started meanwhile is marked too. */
const MARK_ROUNDS = 3

/**
 * Sees to it that one child ends with all that it starts: on request, when this process ends, and when this
 * process is killed. To be made before the child is.
 */
export class ChildSupervisor {
  /** What the child's environment must have. */
  readonly environment: Readonly<Record<string, string>>
  readonly #mark = nextMark()
  #guard: TreeGuard | undefined
  readonly #registry: ProcessRegistry | undefined
  #identity: Promise<ProcessIdentity | undefined> = Promise.resolve(undefined)

  /** `guarded`: whether the guard is there before the child; else `guard` starts it right after the child. */
  constructor(registry?: ProcessRegistry, guarded: 'before' | 'after' = 'before') {
    this.environment = { [MARK_VARIABLE]: this.#mark }
    this.#registry = registry
    if (guarded === 'before') this.guard()
  }

  /** Starts the guard, which ends the child when this process is killed. */
  guard(): void {
    this.#guard ??= guardTree(this.#mark)
  }

  /**
   * @param command what it was started by, for people
   * @param leadsGroup it was started as a group of its own (`detached`), which is killed when this process exits
   */
  started({ pid }: Pick<TreeRoot, 'pid'>, command: string, leadsGroup = true): void {
    if (pid === undefined) return
    if (leadsGroup) registerGroup(pid)
    this.guard()
    this.#guard?.watch(pid)
    this.#identity = identityOf(pid).then((identity) => {
      if (identity !== undefined) {
        this.#registry?.started(identity, command)
        void this.#setLimits(identity)
      }
      return identity
    })
  }

  /** For when there is no child after all. */
  async notStarted(): Promise<void> {
    await this.#guard?.callOff()
  }

  /**
   * Ends the child, if it has not ended, and all that it started (see `endTree`). Never throws.
   *
   * @param exited resolves when the child itself has ended
   * @param graceMs milliseconds before each harder step
   */
  async end(child: TreeRoot, exited: Promise<unknown>, graceMs: number): Promise<void> {
    await this.#end(endTree, child, exited, graceMs)
  }

  /**
   * Kills the child at once, if it has not ended, and ends all that it started (see `killTree`). Never throws.
   *
   * @param exited resolves when the child itself has ended
   * @param graceMs milliseconds that the others have to end
   */
  async kill(child: TreeRoot, exited: Promise<unknown>, graceMs: number): Promise<void> {
    await this.#end(killTree, child, exited, graceMs)
  }

  /** Also on what the child started before it had the limit itself. */
  async #setLimits(identity: ProcessIdentity): Promise<void> {
    await setLimitMark(identity.pid, this.#mark)
    const tree = new ProcessTree({ known: [identity], mark: this.#mark })
    for (let round = 0; round < MARK_ROUNDS; round += 1) {
      const without = (await tree.look()).filter(({ pid }) => !hasLimitMark(pid, this.#mark))
      if (without.length === 0) return
      await Promise.all(without.map(({ pid }) => setLimitMark(pid, this.#mark)))
    }
  }

  async #end(how: typeof endTree, child: TreeRoot, exited: Promise<unknown>, graceMs: number): Promise<void> {
    const leader = await this.#identity
    await how({ child, exited, leader, mark: this.#mark, graceMs })
    if (leader !== undefined) this.#registry?.ended(leader)
    await this.#guard?.callOff()
  }
}
