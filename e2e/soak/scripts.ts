import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ForkProcessStarter } from '../../server-core/processes/fork-process-starter.ts'
import { buildParts } from '../../server-core/launcher/build-parts.ts'
import { partNamed } from '../../server-core/launcher/parts.ts'
import type { ToolOutcome } from '../../server-core/registry/entries.ts'
import { ScriptedInvocation } from '../../server-core/registry/scripted-invocation.test-support.ts'
import type { LoadedScript, ScriptEvent, ScriptHost } from '../../server-core/scripts/script-host.ts'
import { startScriptHost } from '../../server-core/scripts/start-script-host.ts'
import type { Misdeed } from './unruly-scripts.ts'

/** Milliseconds between two calls of a neighbour: they show how long calls take, and are not the load. */
const PAUSE_MS = 2
const ROOT = path.resolve(import.meta.dirname, '../..')

export type ScriptSoak = {
  readonly findings: string[]
  /** Calls of the scripts beside it. */
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Times that the process of all scripts had to end. */
  readonly processEnds: number
}

/**
 * Has a script do one thing that it must not, again and again, while two others are called without a break. Findings: a
 * call of the others that fails although the process did not have to end, a failure that does not name the culprit, a
 * crash told of anybody else, a wrong result, the end of this very process.
 */
export async function soakScript(
  { name, tool, says, succeeds, survives }: Misdeed,
  rounds: number,
): Promise<ScriptSoak> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-soak-scripts-')))
  const culprit = `tools/${name}.ts`
  const host = startScriptHost({
    folder,
    modules: await builtModules(),
    starter: new ForkProcessStarter(),
    limits: { scriptCrashes: Number.MAX_SAFE_INTEGER, scriptHeapMegabytes: 64, scriptMemoryMegabytes: 192 },
  })
  const findings = new Findings()
  const crashes: Extract<ScriptEvent, { type: 'crash' }>[] = []
  host.onEvent((event) => {
    if (event.type === 'crash') crashes.push(event)
  })
  try {
    const unruly = await script(host, folder, culprit, tool)
    const others = [
      await script(host, folder, 'tools/one.ts', "run: () => 'fine'"),
      await script(
        host,
        folder,
        'tools/other.ts',
        "run: () => new Promise((resolve) => setTimeout(resolve, 20, 'fine'))",
      ),
    ]
    const neighbours = others.map((other) => new Neighbour(other, culprit, findings))
    await Promise.all(neighbours.map((neighbour) => neighbour.begin()))
    for (let round = 1; round <= rounds; round += 1) {
      const outcome = await call(unruly)
      const text = textOf(outcome)
      if ((outcome.isError !== true) !== (succeeds === true) || !says.test(text))
        findings.add(`round ${round}: "${text}"`)
      if (survives !== true && !text.includes(culprit))
        findings.add(`round ${round} does not name its script: "${text}"`)
    }
    await Promise.all(neighbours.map((neighbour) => neighbour.end()))
    const expected = survives === true ? 0 : rounds
    if (crashes.length !== expected)
      findings.add(`${crashes.length} crashes were reported, expected ${expected}`)
    for (const { file } of crashes) if (file !== culprit) findings.add(`a crash was reported of ${file}`)
    const processEnds = crashes.filter(({ endedProcess }) => endedProcess).length
    const lost = neighbours.reduce((sum, neighbour) => sum + neighbour.lost, 0)
    if (processEnds === 0 && lost > 0)
      findings.add(`${lost} calls of others were lost although no process ended`)
    const times = neighbours.flatMap((neighbour) => neighbour.times).toSorted((one, other) => one - other)
    const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
    return { findings: findings.list, calls: times.length, p50Ms: at(0.5), p99Ms: at(0.99), processEnds }
  } finally {
    await host.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A script that is called without a break, and how long that takes. */
class Neighbour {
  readonly times: number[] = []
  readonly #script: LoadedScript
  readonly #culprit: string
  readonly #findings: Findings
  #stopping = false
  #running: Promise<void> | undefined
  lost = 0

  constructor(script: LoadedScript, culprit: string, findings: Findings) {
    this.#script = script
    this.#culprit = culprit
    this.#findings = findings
  }

  /** Resolves after its first call. */
  async begin(): Promise<void> {
    await call(this.#script)
    this.#running = this.#run()
  }

  async end(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const startedAt = performance.now()
      const outcome = await call(this.#script)
      this.times.push(performance.now() - startedAt)
      const text = textOf(outcome)
      if (outcome.isError === true) {
        this.lost += 1
        if (!text.includes(this.#culprit))
          this.#findings.add(`a lost call does not name ${this.#culprit}: "${text}"`)
      } else if (text !== 'fine') this.#findings.add(`a call gave "${text}"`)
      await setTimeout(PAUSE_MS)
    }
  }
}

/** The first few, and how many more there are. */
class Findings {
  readonly #first: string[] = []
  #count = 0

  add(finding: string): void {
    this.#count += 1
    if (this.#count <= 10) this.#first.push(finding)
  }

  get list(): string[] {
    return this.#count <= 10 ? this.#first : [...this.#first, `and ${this.#count - 10} more`]
  }
}

async function script(host: ScriptHost, folder: string, file: string, tool: string): Promise<LoadedScript> {
  await mkdir(path.join(folder, 'tools'), { recursive: true })
  await writeFile(
    path.join(folder, file),
    `import { tool } from 'patchbay'\nexport default tool({ name: 'run', ${tool} })\n`,
  )
  return host.load(file)
}

async function call({ view }: LoadedScript): Promise<ToolOutcome> {
  const entry = view.tool('run')
  if (entry === undefined) throw new Error('The script serves no tool "run".')
  return entry.invoke({}, new ScriptedInvocation())
}

function textOf({ content }: ToolOutcome): string {
  return String(content[0]?.['text'])
}

/** The built tool host; it is what users have, and a Worker of it is ready sooner. */
async function builtModules(): Promise<string> {
  const part = partNamed('tool-host')
  if (part === undefined) throw new Error('expected a part named "tool-host"')
  const [outcome] = await buildParts(ROOT, [part])
  if (outcome?.state === 'failed') throw new Error(outcome.message)
  return path.join(ROOT, 'dist', part.folder)
}
