import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { compareLocks } from '../../contract-lock/compare-locks.ts'
import { contextSizes } from '../../contract-lock/context-size.ts'
import { driftText } from '../../contract-lock/drift-text.ts'
import { LOCK_KINDS, lockSchema, type ContractLock, type LockKind } from '../../contract-lock/lock-schema.ts'
import { writeLock } from '../../contract-lock/write-lock.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { DocumentFile, type OnSetAside } from '../../workspace/document-file.ts'
import type { DefinitionsState } from '../contract/definitions.ts'
import type { Listed, Lists } from '../contract/inspect.ts'

const approvedSchema = z.object({
  /** Missing before the first approval. */
  approved: z.object({ at: z.number(), lock: lockSchema }).optional(),
})
type Approved = z.infer<typeof approvedSchema>

export type DefinitionsServiceOptions = {
  /** The folder of the profile for what was approved. */
  readonly folder: string
  /** Names a server across the workspaces of the profile. */
  readonly keyOf: (serverId: string) => string
  /** Reads the lists of a connected server. */
  readonly lists: (serverId: string) => Promise<Lists>
  readonly onSetAside: OnSetAside
}

/** What servers list against what was approved of them: the first definitions that are seen are trusted. */
export class DefinitionsService {
  readonly #options: DefinitionsServiceOptions
  /** Servers of which something was approved. */
  readonly #known = new Set<string>()

  constructor(options: DefinitionsServiceOptions) {
    this.#options = options
  }

  /** Compares the lists of a connected server with what was approved, or approves them if nothing was. */
  async state(serverId: string): Promise<DefinitionsState> {
    return this.#compared(serverId, await this.#options.lists(serverId), false)
  }

  /** Approves what a connected server lists now. */
  async accept(serverId: string): Promise<DefinitionsState> {
    return this.#compared(serverId, await this.#options.lists(serverId), true)
  }

  /** To be called with the complete lists of a server: approves the first that come, and is quick about later ones. */
  async seen(serverId: string, lists: Lists): Promise<void> {
    if (this.#known.has(serverId)) return
    this.#known.add(serverId)
    if ((await this.#documentOf(serverId).read()).approved === undefined)
      await this.#compared(serverId, lists, false)
  }

  async #compared(serverId: string, lists: Lists, isAccepted: boolean): Promise<DefinitionsState> {
    const unread = unreadOf(lists)
    const now = writeLock(definitionsOf(lists))
    const document = this.#documentOf(serverId)
    const known = (await document.read()).approved
    const approved =
      known === undefined || isAccepted ? { at: Date.now(), lock: kept(known?.lock, now, unread) } : known
    if (approved !== known) await document.update(() => ({ approved }))
    const drift = compareLocks(approved.lock, kept(approved.lock, now, unread))
    return {
      approvedAt: approved.at,
      drift: drift.map((each) => {
        const { type, kind, name, renamedTo, breaking, differences } = each
        return {
          type,
          kind,
          name,
          ...(renamedTo !== undefined && { renamedTo }),
          isBreaking: breaking,
          text: driftText(each),
          differences: differences.map(({ part, pointer, what, breaking: isBreaking }) => ({
            part,
            pointer,
            what,
            isBreaking,
          })),
        }
      }),
      sizes: [...contextSizes(lists.tools.flatMap(definitionOf))],
      unread: [...unread].map(([kind, reason]) => ({ kind, reason })),
    }
  }

  #documentOf(serverId: string): DocumentFile<Approved> {
    const name = createHash('sha256').update(this.#options.keyOf(serverId)).digest('hex').slice(0, 24)
    return new DocumentFile<Approved>({
      file: path.join(this.#options.folder, `${name}.json`),
      version: 1,
      schema: approvedSchema,
      empty: () => ({}),
      onSetAside: this.#options.onSetAside,
    })
  }
}

/** A lock with the entries of another one for lists that could not be read. */
function kept(
  before: ContractLock | undefined,
  now: ContractLock,
  unread: ReadonlyMap<LockKind, string>,
): ContractLock {
  if (before === undefined || unread.size === 0) return now
  return { ...now, ...Object.fromEntries([...unread.keys()].map((kind) => [kind, before[kind]])) }
}

function definitionsOf(lists: Lists): Readonly<Record<LockKind, readonly JsonObject[]>> {
  const { tools, resources, resourceTemplates, prompts } = lists
  return {
    tools: tools.flatMap(definitionOf),
    resources: resources.flatMap(definitionOf),
    resourceTemplates: resourceTemplates.flatMap(definitionOf),
    prompts: prompts.flatMap(definitionOf),
  }
}

/** A malformed entry cannot be called, so it is not compared either. */
function definitionOf({ value, malformed }: Listed): readonly JsonObject[] {
  return malformed === undefined && isJsonObject(value) ? [value] : []
}

/** The lists that could not be read whole, and why. */
function unreadOf({ problems, more }: Lists): ReadonlyMap<LockKind, string> {
  const failed = problems
    .filter(({ isHarmless }) => isHarmless !== true)
    .map(({ list, message }) => [list, message] as const)
  const partial = (more ?? []).map(({ list }) => [list as string, 'only a first page was read'] as const)
  return new Map(
    [...failed, ...partial].flatMap(([list, reason]) => {
      const kind = LOCK_KINDS.find((known) => known === list)
      return kind === undefined ? [] : [[kind, reason] as const]
    }),
  )
}
