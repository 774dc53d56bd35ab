import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildCli, patchbay } from '../../server-core/cli/cli-process.test-support.ts'
import { freePort } from '../../server-core/free-port.test-support.ts'
import { stubbornArgs } from '../../server-core/processes/testing/stubborn.test-support.ts'
import { envelope } from '../../server-core/server/raw-client.test-support.ts'
import { readRecording } from '../../server-core/capture/recording/recording-reader.ts'
import { aliveOf, commandLineOf, signalAll } from '../process-tree.ts'
import type { Random } from '../random.ts'
import { commandOf, isListening, repository, StartedCommand, type Way } from '../signals/started-command.ts'
import type { Attack, AttackReport } from './attack.ts'

/** Rounds that run side by side. */
const CONNECTIONS = 2
/** The first kill comes so many milliseconds after the start at most. */
const LONGEST_LIFE_MS = 4_000
/** The last one comes so many milliseconds after the first at most. */
const BETWEEN_MS = 400
const SIGNALS = ['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** npm and its shell wait for their child when SIGINT comes to them alone. */
const ENDING_SIGNALS = ['SIGKILL', 'SIGTERM'] as const
/** In one round of so many, the data of a killed window is opened again. */
const REOPENED = 5

const SCRIPT = `import { tool } from 'patchbay'
export const list_notes = tool({ run: () => 'none' })
export const slow = tool({ timeout: 60_000, run: () => new Promise((done) => setTimeout(done, 30_000)) })
`

/** What is started, in which folder, and where it listens. */
type Plan = {
  readonly what: string
  readonly command: readonly string[]
  readonly url: URL
  /** Whether it is the window, which keeps data. */
  readonly isWindow: boolean
}

/** What a round found, and what was killed in it. */
type Round = {
  readonly findings: readonly string[]
  readonly processes: number
  readonly wasListening: boolean
}

/**
 * Kills the window, `serve`, `proxy`, npm, launchers, tool hosts and servers at random moments by random signals. No
 * process, no open port and no torn file may be left.
 */
export const randomKills: Attack = {
  name: 'random-kills',
  rounds: { smoke: 6, full: 1_000 },
  run: attack,
}

async function attack(random: Random, rounds: number): Promise<AttackReport> {
  await buildCli()
  const findings: string[] = []
  const starts = new Map<string, number>()
  let processes = 0
  let listening = 0
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < rounds) {
      next += 1
      const number = next
      const home = await mkdtemp(path.join(tmpdir(), 'patchbay-random-kills-'))
      const plan = await planOf(random, home)
      starts.set(plan.what, (starts.get(plan.what) ?? 0) + 1)
      const round = await killOne(random, plan, home, number % REOPENED === 0)
      findings.push(...round.findings.map((finding) => `round ${number}, ${plan.what}: ${finding}`))
      processes += round.processes
      listening += round.wasListening ? 1 : 0
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  const kinds = [...starts].map(([what, count]) => `${what} ${count}`).join(', ')
  const what = `${rounds} starts killed with ${processes} processes, ${listening} of them while they listened (${kinds})`
  return { what, findings }
}

async function planOf(random: Random, home: string): Promise<Plan> {
  const folder = path.join(home, 'workspace')
  await mkdir(path.join(folder, 'tools'), { recursive: true })
  await writeFile(path.join(folder, 'tools/notes.ts'), SCRIPT)
  const port = await freePort()
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  const network = [random.pick(['--http', '--all']), '--port', String(port)]
  const way = random.pick<Way>(['wrapper', 'npm', 'launcher', 'built'])
  const profile = ['--profile', path.join(home, 'profile')]
  const record = random.probability(0.5) ? ['--record', path.join(home, 'calls.ndjson')] : []
  const windowWay = random.pick(['npm start', 'launcher of the window'])
  const behind = random.probability(0.5)
    ? [process.execPath, patchbay, 'serve', folder, '--trust', '--stdio', ...profile]
    : [process.execPath, ...stubbornArgs(['child', 'group', 'session', 'orphan', 'stubborn'])]
  const plans: readonly [Plan, ...Plan[]] = [
    {
      what: `serve by ${way}`,
      command: [...commandOf(way), 'serve', ...network, ...record],
      url,
      isWindow: false,
    },
    {
      what: `serve of a folder by ${way}`,
      command: [...commandOf(way), 'serve', folder, '--trust', ...profile, ...network, ...record],
      url,
      isWindow: false,
    },
    {
      what: `proxy by ${way}`,
      command: [...commandOf(way), 'proxy', ...network, ...record, '--', ...behind],
      url,
      isWindow: false,
    },
    {
      what: windowWay,
      command: [
        ...(windowWay === 'npm start'
          ? ['npm', '--prefix', repository, 'start', '--silent', '--']
          : [process.execPath, path.join(repository, 'server-core/launcher/start.ts')]),
        ...['--headless', '--mcp-port', String(port), ...profile],
      ],
      url,
      isWindow: true,
    },
  ]
  return random.pick(plans)
}

async function killOne(random: Random, plan: Plan, home: string, reopens: boolean): Promise<Round> {
  const lifeMs = random.below(LONGEST_LIFE_MS)
  const started = new StartedCommand(plan.command, { home })
  const over = new AbortController()
  const calling = keepCalling(plan.url, over.signal)
  await Promise.race([pause(lifeMs), started.exited])
  const victims = started.processes().filter((pid) => !commandLineOf(pid).includes('patchbay-guard'))
  const wasListening = await isListening(plan.url)
  const target = victims[random.below(victims.length)]
  const first = random.pick(SIGNALS)
  const whom = target === undefined ? 'nobody' : commandLineOf(target).slice(0, 60)
  if (target !== undefined) signalAll([target], first)
  await pause(random.below(BETWEEN_MS))
  const last = random.pick(ENDING_SIGNALS)
  signalAll([started.pid], last)
  const left = await started.left()
  const findings = left.map(
    (line) => `${first} to ${whom}, ${last} to all of it after ${lifeMs} ms left ${line}`,
  )
  if (await isListening(plan.url)) findings.push(`${first} to ${whom}, then ${last}: the port is open`)
  over.abort()
  await calling
  findings.push(...(await tornFiles(home)))
  if (plan.isWindow && reopens) findings.push(...(await reopen(plan, home)))
  return { findings, processes: victims.length, wasListening }
}

/** Calls tools, some of which do not end, so that there is something in flight. */
async function keepCalling(url: URL, signal: AbortSignal): Promise<void> {
  for (let id = 1; !signal.aborted; id += 1) {
    const name = id % 8 === 0 ? 'slow' : 'list_notes'
    const params = { name, arguments: {}, _meta: envelope() }
    const answered = fetch(url, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    })
      .then((response) => response.text())
      // It does not listen yet, or not any more.
      .catch(() => '')
    if (name !== 'slow') await answered
    await pause(20)
  }
}

/** Files that cannot be read any more. What was written beside a file before a kill is removed by the next start. */
async function tornFiles(home: string): Promise<string[]> {
  const torn: string[] = []
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || file.includes(`${path.sep}.npm${path.sep}`)) continue
    const problem = await problemOf(file)
    if (problem !== undefined) torn.push(`${path.relative(home, file)} is torn: ${problem}`)
  }
  return torn
}

async function problemOf(file: string): Promise<string | undefined> {
  try {
    if (file.endsWith('.ndjson')) for await (const each of readRecording(file)) void each
    if (file.endsWith('.json')) JSON.parse(await readFile(file, 'utf8'))
    if (path.basename(file) === 'serve.key') {
      const bytes = Buffer.from(await readFile(file, 'latin1'), 'base64').length
      return bytes === 32 ? undefined : `it has ${bytes} bytes`
    }
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** Starts the window again with the same data, which has to be whole, and ends it. */
async function reopen({ command, url }: Plan, home: string): Promise<string[]> {
  const started = new StartedCommand(command, { home })
  const isUp = async (): Promise<boolean> => {
    while (aliveOf([started.pid]).length > 0) {
      if (await isListening(url)) return true
      await pause(50)
    }
    return false
  }
  const findings = (await isUp()) ? [] : [`it did not start again: ${started.stderr}`]
  started.processes()
  signalAll([started.pid], 'SIGTERM')
  findings.push(...(await started.left()).map((line) => `the next start left ${line}`))
  const names = await readdir(path.join(home, 'profile'), { recursive: true })
  for (const name of names)
    if (/\\.(tmp$|set-aside-)/.test(name)) findings.push(`${name} stayed after the next start`)
  return findings
}
