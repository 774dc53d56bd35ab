import { renameSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ForkProcessStarter } from '../processes/fork-process-starter.ts'
import { MemoryStore } from '../registry/memory-store.ts'
import { ScriptedInvocation } from '../registry/scripted-invocation.test-support.ts'
import { startScriptHost } from '../scripts/start-script-host.ts'
import { workspaceFile } from '../profile/profile-files.ts'
import { workspaceDocument } from '../workspace/server-entries.ts'
import { LiveWorkspace, type LiveWorkspaceOptions } from './live-workspace.ts'

/** A tool that says what it is asked to. */
export function saying(text: string, more = ''): string {
  return `import { tool } from 'patchbay'\nexport default tool({ ${more} run: () => ${JSON.stringify(text)} })\n`
}

export type TestWorkspace = {
  readonly folder: string
  readonly live: LiveWorkspace
  /** The list notifications, in order. */
  readonly told: string[]
  /** Writes files at once, as most editors do: beside their place first. */
  save(files: Readonly<Record<string, string>>): Promise<void>
  remove(...files: readonly string[]): Promise<void>
  /** Removes everything. */
  clear(): Promise<void>
  /** The text of a call's result. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<string>
  /** Resolves after a notification when the condition holds. */
  until(holds: () => boolean): Promise<void>
  close(): Promise<void>
}

/** A real workspace on the disk, with real processes that run its scripts, from the modules of the tool host. */
export async function openWorkspace(
  modules: string,
  files: Readonly<Record<string, string>> = {},
  more: Partial<LiveWorkspaceOptions> = {},
): Promise<TestWorkspace> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-live-')))
  const save = async (wanted: Readonly<Record<string, string>>) => {
    const files = Object.entries(wanted).map(([name, text]) => ({ file: path.join(folder, name), text }))
    const write = async ({ file, text }: (typeof files)[number]) => {
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(`${file}.tmp`, text)
    }
    await Promise.all(files.map(write))
    // All in one moment, however busy the machine is.
    for (const { file } of files) renameSync(`${file}.tmp`, file)
  }
  await save(files)
  const host = startScriptHost({ folder, starter: new ForkProcessStarter(), modules })
  const document = workspaceDocument(workspaceFile(folder), 'leave')
  const live = await LiveWorkspace.open({ folder, host, document, ...more })
  const told: string[] = []
  const listeners = new Set<() => void>()
  const hear = () => {
    for (const listener of [...listeners]) listener()
  }
  live.registry.onChange((change) => {
    told.push(change.type === 'list' ? change.kind : change.uri)
    hear()
  })
  live.onChange(hear)
  const store = new MemoryStore()
  return {
    folder,
    live,
    told,
    save,
    remove: async (...names) => {
      await Promise.all(names.map((name) => rm(path.join(folder, name))))
    },
    clear: async () => {
      const names = await readdir(folder)
      const ours = names.filter((name) => name !== '.patchbay')
      await Promise.all(ours.map((name) => rm(path.join(folder, name), { recursive: true })))
      await live.settled()
    },
    call: async (name, args = {}) => {
      const outcome = await live.registry.tool(name)?.invoke(args, new ScriptedInvocation({ store }))
      if (outcome === undefined) throw new Error(`There is no tool ${name}.`)
      return outcome.content.map((block) => String(block['text'])).join('')
    },
    until: (holds) =>
      new Promise((resolve) => {
        const look = () => {
          if (!holds()) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
      }),
    close: async () => {
      await live.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
