import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ForkProcessStarter } from '../../processes/fork-process-starter.ts'
import { bundleForNode } from '../../launcher/bundle-node.ts'
import { partNamed } from '../../launcher/parts.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ToolOutcome } from '../../registry/entries.ts'
import { ScriptedInvocation } from '../../registry/scripted-invocation.test-support.ts'
import type { LoadedScript, ScriptEvent, ScriptHost } from '../script-host.ts'
import { startScriptHost, type ScriptHostOptions } from '../start-script-host.ts'

const ROOT = path.join(import.meta.dirname, '..', '..', '..')

/** The tool host, built as a user has it: from its sources each Worker would compile them again. */
export async function builtModules(): Promise<string> {
  const build = path.join(ROOT, '.build')
  await mkdir(build, { recursive: true })
  const folder = await mkdtemp(path.join(build, 'tool-host-'))
  const recipe = partNamed('tool-host')?.recipe
  if (recipe?.kind !== 'node') throw new Error('The tool host is not built for Node.')
  await bundleForNode(ROOT, recipe, folder)
  return folder
}

/** A workspace in a temporary folder, and its script host. */
export class ScriptWorkspace {
  readonly folder: string
  readonly host: ScriptHost
  readonly events: ScriptEvent[] = []

  static async open(
    modules: string,
    files: Readonly<Record<string, string>> = {},
    more: Partial<ScriptHostOptions> = {},
  ): Promise<ScriptWorkspace> {
    const folder = more.folder ?? (await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-scripts-'))))
    const workspace = new ScriptWorkspace(folder, modules, more)
    await workspace.write(files)
    return workspace
  }

  private constructor(folder: string, modules: string, more: Partial<ScriptHostOptions>) {
    this.folder = folder
    this.host = startScriptHost({ folder, modules, starter: new ForkProcessStarter(), ...more })
    this.host.onEvent((event) => this.events.push(event))
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.folder, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, text)
    }
  }

  /** Writes a script of tools and loads it. */
  async script(file: string, text: string): Promise<LoadedScript> {
    await this.write({ [file]: `import { tool, z } from 'patchbay'\n${text}` })
    return this.host.load(file)
  }

  /** Resolves with the next event of that kind, or one that has come already. */
  async event<Type extends ScriptEvent['type']>(
    type: Type,
    fits: (event: Extract<ScriptEvent, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<ScriptEvent, { type: Type }>> {
    const isIt = (event: ScriptEvent): event is Extract<ScriptEvent, { type: Type }> =>
      event.type === type && fits(event as Extract<ScriptEvent, { type: Type }>)
    const before = this.events.find(isIt)
    if (before !== undefined) return before
    return new Promise((resolve) => {
      const stop = this.host.onEvent((event) => {
        if (!isIt(event)) return
        stop()
        resolve(event)
      })
    })
  }

  async close(): Promise<void> {
    await this.host.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Calls a tool of a script. */
export async function call(
  { view }: LoadedScript,
  name: string,
  args: JsonObject = {},
  invocation = new ScriptedInvocation(),
): Promise<ToolOutcome> {
  const tool = view.tool(name)
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  return tool.invoke(args, invocation)
}

/** The text of a result. */
export function said({ content }: ToolOutcome): unknown {
  return content[0]?.['text']
}
