import { SerialQueue } from '../../protocol/serial-queue.ts'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import type { LanguageServerEvent } from '../contract/editor.ts'
import { HostError } from '../host-error.ts'
import { DraftStore } from './draft-store.ts'
import { FolderWatch } from './folder-watch.ts'
import { LanguageServers } from './language-servers.ts'
import { PageQueue } from './page-queue.ts'
import { WorkspaceFiles } from './workspace-files.ts'

export type EditorServiceOptions = {
  /** Absolute path of the workspace. */
  readonly folder: string
  /** Folder of all drafts, in the profile. */
  readonly drafts: string
  /** Returns whether something of the workspace may run. */
  readonly isTrusted: (folder: string) => boolean | Promise<boolean>
  readonly processes?: ProcessRegistry | undefined
  /** Absolute path of the language server's program; the installed one unless given. */
  readonly program?: string
  /** Milliseconds without a message after which a language server ends; ten minutes unless given. */
  readonly idleMs?: number
}

type Parts = {
  readonly folder: string
  readonly files: WorkspaceFiles
  readonly drafts: DraftStore
  readonly watch: FolderWatch
  readonly languageServers: LanguageServers
}

/** Where the files of the open workspace are edited: files, drafts, what changes on the disk, and language servers. */
export class EditorService {
  readonly #options: EditorServiceOptions
  /** Have who watches watch the folder that is open now. */
  readonly #followers = new Set<() => Promise<void>>()
  #parts: Parts

  constructor(options: EditorServiceOptions) {
    this.#options = options
    this.#parts = this.#partsOf(options.folder)
  }

  get files(): WorkspaceFiles {
    return this.#parts.files
  }

  get drafts(): DraftStore {
    return this.#parts.drafts
  }

  /** Drafts of a workspace, whether it is the open one or was that before. */
  draftsOf(folder: string | undefined): DraftStore {
    const { drafts, folder: open } = this.#parts
    return folder === undefined || folder === open ? drafts : new DraftStore(this.#options.drafts, folder)
  }

  /** Process ids of the language servers that run. */
  get languageServerPids(): number[] {
    return this.#parts.languageServers.pids
  }

  /** Files that were made, changed or removed in the workspace that is open, until the signal aborts. */
  async *watch(signal: AbortSignal | undefined): AsyncGenerator<{ files: string[] }, void, void> {
    const queue = new PageQueue<string>()
    let leave = () => {}
    const turns = new SerialQueue()
    const follow = () =>
      turns.run(async () => {
        leave()
        leave = await this.#parts.watch.listen((changes) => {
          for (const { file } of changes) queue.push(file)
        })
      })
    this.#followers.add(follow)
    try {
      await follow()
      for await (const files of queue.taken(signal)) yield { files: [...new Set(files)] }
    } finally {
      this.#followers.delete(follow)
      await turns.idle()
      leave()
    }
  }

  /**
   * A language server for one page (see `LanguageServers`).
   *
   * @throws HostError if the workspace is not trusted: what a language server reads may make it run things
   */
  async *languageServer(
    restart: boolean,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LanguageServerEvent, void, void> {
    const { folder, languageServers } = this.#parts
    if (!(await this.#options.isTrusted(folder))) {
      throw new HostError(
        'NOT_TRUSTED',
        `Nothing of ${folder} runs before you trust it, so there is no completion and no checking.`,
      )
    }
    yield* languageServers.attach(restart, signal)
  }

  sendToLanguageServer(session: string, messages: readonly string[]): boolean {
    return this.#parts.languageServers.send(session, messages)
  }

  /** From now on the files of another folder are edited. Pages read everything again. */
  async open(folder: string): Promise<void> {
    const before = this.#parts
    this.#parts = this.#partsOf(folder)
    await Promise.all([...this.#followers].map((follow) => follow()))
    await endOf(before)
  }

  async close(): Promise<void> {
    await endOf(this.#parts)
  }

  #partsOf(folder: string): Parts {
    const { drafts, processes, program, idleMs } = this.#options
    const watch = new FolderWatch(folder)
    return {
      folder,
      files: new WorkspaceFiles(folder),
      drafts: new DraftStore(drafts, folder),
      watch,
      languageServers: new LanguageServers({ folder, watch, processes, program, idleMs }),
    }
  }
}

async function endOf({ watch, languageServers }: Parts): Promise<void> {
  await languageServers.close()
  await watch.close()
}
