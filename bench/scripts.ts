/**
 * `npm run bench:scripts`: what a save takes until clients learn of it, whether reloads lose calls, and what scripts cost
 * over built-in tools, in time and memory.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Connection } from '../server-core/client/connection.ts'
import { callTool } from '../server-core/client/requests/call-tool.ts'
import { ForkProcessStarter } from '../server-core/processes/fork-process-starter.ts'
import { Registry } from '../server-core/registry/registry.ts'
import { startScriptHost } from '../server-core/scripts/start-script-host.ts'
import { scriptModules, serve, serveWorkspace, type LiveServer } from './live-server.ts'
import { median } from './median.ts'
import { adding, saveScript } from './saved-script.ts'

const SCRIPTS = 100
const say = (what: string, figures: string) => process.stdout.write(`${what.padEnd(44)} ${figures}\n`)
const spread = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other)
  const p90 = sorted[Math.floor(sorted.length * 0.9)] ?? Number.NaN
  return `median ${median(sorted).toFixed(2)} ms, p90 ${p90.toFixed(2)} ms of ${times.length}`
}

/** From the start of a script host until its process is ready to run scripts. */
async function ready(): Promise<void> {
  const modules = await scriptModules()
  const times: number[] = []
  for (let round = 0; round < 10; round += 1) {
    const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-'))
    const startedAt = performance.now()
    const host = startScriptHost({ folder, modules, starter: new ForkProcessStarter() })
    await new Promise<void>((resolve) => {
      host.onStateChange(() => {
        if (host.state().spareReady) resolve()
      })
    })
    times.push(performance.now() - startedAt)
    await host.close()
    await rm(folder, { recursive: true, force: true })
  }
  say('a new script host is ready', spread(times))
}

/** The same tool built in and as a script, called in turn over Streamable HTTP. */
async function overhead(calls: number): Promise<void> {
  const registry = new Registry()
  registry.addTool({
    name: 'tool0',
    input: z.object({ a: z.number(), b: z.number() }),
    run: ({ a, b }) => ({ sum: a + b, version: '0' }),
  })
  const builtIn = await serve(registry)
  const scripts = await serveWorkspace(1)
  const connections = [await builtIn.connect(), await scripts.connect()] as const
  const times: [number[], number[]] = [[], []]
  for (let call = -200; call < calls; call += 1) {
    for (const [at, connection] of connections.entries()) {
      const startedAt = performance.now()
      await add(connection, 'tool0', call)
      if (call >= 0) times[at]?.push(performance.now() - startedAt)
    }
  }
  await Promise.all(connections.map((connection) => connection.close()))
  await Promise.all([builtIn.close(), scripts.close()])
  say('a call of a built-in tool', spread(times[0]))
  say('a call of a script', spread(times[1]))
  say('  more than built in', `${(median(times[1]) - median(times[0])).toFixed(3)} ms`)
}

/** From a save that changes what clients see until the notification is there. */
async function saves(served: LiveServer, rounds: number): Promise<void> {
  const connection = await served.connect()
  const times: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const heard = new Promise<void>((resolve) => {
      const stop = connection.onListChanged(() => {
        stop()
        resolve()
      })
    })
    const startedAt = performance.now()
    await saveScript(served.folder, `tool${round % SCRIPTS}`, adding(`saved ${round}`))
    await heard
    times.push(performance.now() - startedAt)
    // The next one is a save of its own, not part of this one.
    await setTimeout(150)
  }
  await connection.close()
  say(`a save until list_changed, of ${SCRIPTS} scripts`, spread(times))
}

/** A program that saves a thousand times in a second, and how long until all that it changed is served. */
async function storm(served: LiveServer): Promise<void> {
  const connection = await served.connect()
  let told = 0
  let changes = 0
  connection.onListChanged(() => (told += 1))
  const stop = served.live.registry.onChange(() => (changes += 1))
  const isServed = () =>
    Array.from({ length: SCRIPTS }, (_, at) => at).every(
      (at) => served.live.registry.tool(`tool${at}`)?.description === `Version storm ${900 + at}.`,
    )
  const saved = output('saver.ts', served.folder, '1000', String(SCRIPTS))
  while (!isServed()) await setTimeout(2)
  const servedAt = performance.timeOrigin + performance.now()
  const { beganAt, doneAt } = JSON.parse(await saved) as { beganAt: number; doneAt: number }
  await setTimeout(500)
  stop()
  await connection.close()
  const took = (doneAt - beganAt).toFixed(0)
  say(`1,000 saves in ${took} ms are served`, `${(servedAt - doneAt).toFixed(0)} ms after the last`)
  say('  told', `${changes} changes of the list, ${told} notifications`)
}

/** Runs a program beside this one, and gives what it prints. */
async function output(program: string, ...words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--expose-gc', path.join(import.meta.dirname, program), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(child, 'close')
  return text
}

/** Calls without a break while their script is saved again again and again. */
async function reloads(served: LiveServer, calls: number, saved: number): Promise<void> {
  const connections = await Promise.all(Array.from({ length: 4 }, () => served.connect()))
  const versions = new Set<string>()
  let dropped = 0
  let made = 0
  let isSaving = true
  const caller = async (connection: Connection) => {
    while (made < calls || isSaving) {
      made += 1
      const version = await add(connection, 'tool7', made)
      if (version === undefined) dropped += 1
      else versions.add(version)
    }
  }
  const saver = async () => {
    for (let save = 1; save <= saved; save += 1) {
      await saveScript(served.folder, 'tool7', adding(`reload ${save}`))
      while (served.live.registry.tool('tool7')?.description !== `Version reload ${save}.`)
        await setTimeout(2)
    }
    isSaving = false
  }
  await Promise.all([
    saver(),
    ...connections.flatMap((connection) => [caller(connection), caller(connection)]),
  ])
  await Promise.all(connections.map((connection) => connection.close()))
  say(`${made} calls during ${saved} reloads`, `${dropped} dropped, answered by ${versions.size} revisions`)
}

/** The version that answered; undefined if the call failed or gave another sum. */
async function add(connection: Connection, name: string, a: number): Promise<string | undefined> {
  const call = await callTool(connection, { name, arguments: { a, b: 1 } })
  if (call.type !== 'result') return undefined
  const { structuredContent } = call.result as { structuredContent?: { sum?: number; version?: string } }
  return structuredContent?.sum === a + 1 ? structuredContent.version : undefined
}

async function memory(): Promise<void> {
  const bytes: number[] = []
  for (const scripts of [0, SCRIPTS]) {
    const text = await output('script-memory.ts', String(scripts))
    bytes.push((JSON.parse(text) as { bytes: number }).bytes)
  }
  const [empty = 0, full = 0] = bytes.map((size) => size / 2 ** 20)
  say(
    `${SCRIPTS} idle scripts`,
    `${full.toFixed(0)} MB, an empty workspace ${empty.toFixed(0)} MB: ${(full - empty).toFixed(0)} MB more`,
  )
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'ready,overhead,saves,storm,reloads,memory' },
    calls: { type: 'string', default: '10000' },
    reloads: { type: 'string', default: '500' },
    saves: { type: 'string', default: '50' },
  },
})
const only = new Set(values.only.split(','))
if (only.has('ready')) await ready()
if (only.has('overhead')) await overhead(3_000)
if (['saves', 'storm', 'reloads'].some((name) => only.has(name))) {
  const served = await serveWorkspace(SCRIPTS)
  if (only.has('saves')) await saves(served, Number(values.saves))
  if (only.has('storm')) await storm(served)
  if (only.has('reloads')) await reloads(served, Number(values.calls), Number(values.reloads))
  await served.close()
}
if (only.has('memory')) await memory()
process.exit()
