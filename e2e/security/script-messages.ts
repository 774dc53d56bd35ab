import { setTimeout as pause } from 'node:timers/promises'
import { rm } from 'node:fs/promises'
import { connect } from '../../server-core/client/connect.ts'
import type { Connection } from '../../server-core/client/connection.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { writeEvent } from '../../server-core/live/event-lines.ts'
import { ScriptLog } from '../../server-core/live/script-log.ts'
import type { LoadedScript, ScriptEvent } from '../../server-core/scripts/script-host.ts'
import { ScriptWorkspace } from '../../server-core/scripts/testing/script-workspace.test-support.ts'
import { createServer } from '../../server-core/server/server.ts'
import { memoryPair } from '../../server-core/transports/memory/memory-link.ts'
import type { Random } from '../random.ts'
import type { Attack, AttackReport } from './attack.ts'
import { HOSTILE_SCRIPT, hostileToolHost } from './hostile-tool-host.ts'
import { parseHostileMessages } from './parsed-messages.ts'

/** Messages parsed in this process for each call of the hostile script, and the calls of the smallest run. */
const PARSED_PER_CALL = 100
const LEAST_CALLS = 6
/** Messages that one call posts at most. Its Worker ends at the first invalid one, so the rest may never be read. */
const POSTED = 20
/** Calls after which the workspace is opened again: scripts that ended their process run apart from then on. */
const CALLS = 24
const CULPRIT = 'tools/hostile.ts'
const PAUSE_MS = 2
/** Results that cannot be sent, tried in each workspace. */
const RESULTS = 45

type Route = 'port' | 'channel' | 'bytes'

/**
 * Every parser of the boundaries between host, tool process and Workers reads damaged messages in this process; then a
 * script sends such messages through real processes: over the port of its Worker, over the channel of its process with
 * and without the token, and as results. The host must go on, each call must end with a crash that names the script, and
 * the scripts beside it must be served.
 */
export const scriptMessages: Attack = {
  name: 'script-messages',
  rounds: { smoke: 500, full: 100_000 },
  run: attack,
}

async function attack(random: Random, rounds: number): Promise<AttackReport> {
  const findings: string[] = []
  const note = (finding: string): void => {
    if (findings.length < 20) findings.push(finding)
  }
  const crashed = (error: unknown): void => {
    note(
      `the host would have ended: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  }
  process.on('uncaughtException', crashed)
  process.on('unhandledRejection', crashed)
  const modules = await hostileToolHost()
  const parsing = parseHostileMessages(random, rounds, note)
  const wanted = Math.max(LEAST_CALLS, Math.ceil(rounds / PARSED_PER_CALL))
  const totals = { posted: 0, calls: 0, neighbours: 0, lost: 0, results: 0, processEnds: 0 }
  try {
    while (totals.calls < wanted) {
      const scene = await Scene.open(modules, note)
      for (let call = 0; call < CALLS && totals.calls < wanted; call += 1) {
        const route = random.pick<Route>(['port', 'port', 'port', 'channel', 'bytes'])
        const count = 1 + random.below(POSTED)
        // It may have forged definitions of its own in which it does not exist any more.
        if (!(await scene.attack(route, random.below(2 ** 31), count))) break
        totals.posted += count
        totals.calls += 1
      }
      totals.results += await scene.results(RESULTS)
      const { neighbours, lost, processEnds } = await scene.close()
      totals.neighbours += neighbours
      totals.lost += lost
      totals.processEnds += processEnds
    }
  } finally {
    process.off('uncaughtException', crashed)
    process.off('unhandledRejection', crashed)
    await rm(modules, { recursive: true, force: true })
  }
  const { posted, calls, neighbours, lost, results, processEnds } = totals
  const what = `${parsing.parsed} hostile messages parsed in process, ${parsing.rejected} rejected; ${calls} calls through real processes posted ${posted}, each call ended with a crash that names its script; ${results} hostile results; the process of scripts ended ${processEnds} times; ${neighbours} calls of others, ${lost} lost with the process`
  return { what, findings }
}

/** A workspace with the hostile script and two others, which are called without a break. */
class Scene {
  readonly #workspace: ScriptWorkspace
  readonly #client: Connection
  readonly #note: (finding: string) => void
  readonly #crashes: Extract<ScriptEvent, { type: 'crash' }>[] = []
  readonly #others: readonly Connection[]
  readonly #neighbours: Promise<void>[]
  #isEnding = false
  /** Whether a message that others cannot tell from their own may reach them, and whether a process may end. */
  #route: Route = 'port'
  #calls = 0
  #lost = 0

  static async open(modules: string, note: (finding: string) => void): Promise<Scene> {
    const workspace = await ScriptWorkspace.open(
      modules,
      {},
      { limits: { scriptCrashes: Number.MAX_SAFE_INTEGER } },
    )
    await workspace.write({ [CULPRIT]: HOSTILE_SCRIPT })
    const hostile = await workspace.host.load(CULPRIT)
    const others = [
      await workspace.script('tools/one.ts', `export const run = tool({ run: () => 'fine' })`),
      await workspace.script(
        'tools/other.ts',
        `export const run = tool({ run: () => new Promise((resolve) => setTimeout(resolve, 20, 'fine')) })`,
      ),
    ]
    return new Scene(workspace, await clientOf(hostile), await Promise.all(others.map(clientOf)), note)
  }

  private constructor(
    workspace: ScriptWorkspace,
    client: Connection,
    others: readonly Connection[],
    note: (finding: string) => void,
  ) {
    this.#workspace = workspace
    this.#client = client
    this.#note = note
    const log = new ScriptLog(() => undefined)
    workspace.host.onEvent((event) => {
      writeEvent(log, event, 1)
      if (event.type === 'crash') this.#crashes.push(event)
    })
    this.#others = others
    this.#neighbours = others.map((other) => this.#callOn(other))
  }

  /** Has the script send that many messages, and looks at what became of it. Returns false if it cannot be called. */
  async attack(route: Route, seed: number, count: number): Promise<boolean> {
    this.#route = route
    const before = this.#crashes.length
    const given = await textOf(this.#client, 'attack', { route, seed, count })
    if (given === 'Unknown tool: attack') return false
    const where = `${route}, seed ${seed}, ${count} messages`
    // It may have forged its own result, and runs on for a moment.
    const until = performance.now() + 10_000
    while (!this.#crashes.slice(before).some(({ file }) => file === CULPRIT)) {
      if (performance.now() > until) {
        this.#note(`${where}: no crash names ${CULPRIT}; the call gave "${given.slice(0, 200)}"`)
        break
      }
      await pause(PAUSE_MS)
    }
    if (route === 'port') {
      for (const { file, endedProcess } of this.#crashes.slice(before)) {
        if (file !== CULPRIT || endedProcess)
          this.#note(`${where}: a crash of ${file}, process ended: ${endedProcess}`)
      }
    }
    return true
  }

  /** Has the script return what cannot be sent: each call is answered, and the next one too. Returns the number of calls. */
  async results(count: number): Promise<number> {
    for (let n = 0; n < count; n += 1) {
      const outcome = await outcomeOf(this.#client, 'result', { n })
      if (outcome.type === 'failed' && outcome.text === '')
        this.#note(`result ${n}: an error without a message`)
      if (outcome.type === 'invalid') this.#note(`result ${n}: an invalid answer: ${outcome.text}`)
    }
    return count
  }

  async close(): Promise<{ neighbours: number; lost: number; processEnds: number }> {
    this.#isEnding = true
    await Promise.all(this.#neighbours)
    // What was forged in the name of others is over: each of them is served.
    for (const other of this.#others) {
      const texts = [await textOf(other, 'run', {}), await textOf(other, 'run', {})]
      if (!texts.includes('fine'))
        this.#note(`another script is not served any more: "${texts.join('", "')}"`)
    }
    await this.#workspace.close()
    const processEnds = this.#crashes.filter(({ endedProcess }) => endedProcess).length
    return { neighbours: this.#calls, lost: this.#lost, processEnds }
  }

  async #callOn(client: Connection): Promise<void> {
    while (!this.#isEnding) {
      const text = await textOf(client, 'run', {})
      this.#calls += 1
      // With the token, and only then, a message can be forged for others.
      if (text !== 'fine' && this.#route !== 'channel') {
        this.#lost += 1
        if (!text.includes(CULPRIT)) this.#note(`a call of another script gave "${text.slice(0, 300)}"`)
      }
      await pause(PAUSE_MS)
    }
  }
}

async function clientOf({ view }: LoadedScript): Promise<Connection> {
  const server = createServer({ registry: view, info: { name: 'script-messages', version: '1' } })
  const pair = memoryPair()
  server.attach(pair.server)
  return connect({
    open: () => Promise.resolve(pair.client),
    identity: { name: 'script-messages', version: '1' },
    protocol: '2025-11-25',
  })
}

type Outcome = { readonly type: 'result' | 'failed' | 'invalid'; readonly text: string }

/** What a call ended with: the first text of its result, or the message of its error. */
async function outcomeOf(client: Connection, name: string, args: object): Promise<Outcome> {
  try {
    const { result } = await client.request('tools/call', { name, arguments: args })
    const content: unknown = isJsonObject(result) ? result['content'] : undefined
    if (!Array.isArray(content)) return { type: 'invalid', text: JSON.stringify(result).slice(0, 200) }
    const first: unknown = content[0]
    const text = isJsonObject(first) ? String(first['text']) : ''
    const isFailed = isJsonObject(result) && result['isError'] === true
    return { type: isFailed ? 'failed' : 'result', text }
  } catch (error) {
    return { type: 'failed', text: error instanceof Error ? error.message : String(error) }
  }
}

async function textOf(client: Connection, name: string, args: object): Promise<string> {
  return (await outcomeOf(client, name, args)).text
}
