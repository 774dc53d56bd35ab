import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modern } from '../../server-core/server/interop/http-raw.test-support.ts'
import { judge, warningsOf, type Check, type Verdicts, type Warnings } from './judge.ts'
import { scenariosOf, SUITE, type Leg, type Scenarios } from './scenarios.ts'

/** What became of one leg. */
export type LegOutcome = {
  readonly scored: Verdicts
  readonly unscored: Verdicts
  readonly warnings: Warnings
}

const HERE = dirname(fileURLToPath(import.meta.url))
/** Scenarios end by themselves long before; this ends a suite that hangs. */
const LONGEST_MS = 240_000
const SERVER_STARTS_WITHIN_MS = 20_000

/**
 * Runs the official suite for one revision against our server or our client. `strict`: warnings are failures; `only`:
 * the scenarios of a client that are run, all if not given.
 */
export async function runLeg(leg: Leg, strict: boolean, only?: readonly string[]): Promise<LegOutcome> {
  const results = await mkdtemp(join(tmpdir(), 'patchbay-conformance-'))
  try {
    const scenarios = await chosenScenarios(leg, only)
    const all = [...scenarios.scored, ...scenarios.unscored]
    await (leg.side === 'server' ? testServer(leg, scenarios, results) : testClient(leg, all, results))
    const checks = await readChecks(leg, results)
    return {
      scored: judge(scenarios.scored, checks, strict),
      unscored: judge(scenarios.unscored, checks, strict),
      warnings: warningsOf(all, checks),
    }
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}

async function chosenScenarios(leg: Leg, only: readonly string[] | undefined): Promise<Scenarios> {
  const all = await scenariosOf(leg)
  if (leg.side === 'server' || only === undefined) return all
  const isWanted = (name: string) => only.includes(name)
  return { ...all, scored: all.scored.filter(isWanted), unscored: all.unscored.filter(isWanted) }
}

/** The suite takes the scenarios of a server one after the other. */
async function testServer({ revision }: Leg, { hasRequirements }: Scenarios, results: string): Promise<void> {
  const server = await startServer()
  await callForTheFirstTime(server.url)
  const chosen = hasRequirements
    ? ['--requirements', revision]
    : ['--suite', 'all', '--spec-version', revision]
  try {
    await runSuite(['server', ...chosen, '--url', server.url, '--timeout', '30000'], results)
  } finally {
    await server.stop()
  }
}

/**
 * Calls what the suite gives half a second, so that what it measures is not a process that runs its code for the first
 * time.
 */
async function callForTheFirstTime(url: string): Promise<void> {
  for (const name of ['test_streaming_elicitation', 'test_logging_tool']) {
    const answer = await modern(url, 'tools/call', { name }, { capabilities: { elicitation: {} } })
    await answer.ended
    if (answer.status !== 200) throw new Error(`the first call of ${name} was answered ${answer.status}`)
  }
}

/**
 * The scenarios of a client, a few at a time: the suite itself would start all of them at once, and on a small machine
 * some would then run out of time.
 */
async function testClient({ revision }: Leg, names: readonly string[], results: string): Promise<void> {
  // The suite hands the command to a shell; `exec` makes the client the process that it starts and ends.
  const command = `exec '${process.execPath}' '${join(HERE, 'client.ts')}'`
  const waiting = [...names]
  const takeTurns = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      // Extensions belong to no revision, so the suite needs an option to run them in one.
      const scenario = ['--scenario', name, '--spec-version', revision, '--force', '--timeout', '60000']
      await runSuite(['client', ...scenario, '--command', command], results)
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, takeTurns))
}

async function runSuite(args: readonly string[], results: string): Promise<void> {
  const child = spawn(process.execPath, [SUITE, ...args, '-o', results], {
    // Its own group: whatever a client left behind ends with it.
    detached: true,
    stdio: 'ignore',
  })
  const timer = setTimeout(() => killGroup(child), LONGEST_MS)
  try {
    await once(child, 'exit')
  } finally {
    clearTimeout(timer)
    killGroup(child)
  }
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [join(HERE, 'serve.ts'), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    killGroup(child)
    await exited
  }
  const url = Promise.withResolvers<string>()
  const timer = setTimeout(
    () => url.reject(new Error('the fixture server did not print its address')),
    SERVER_STARTS_WITHIN_MS,
  )
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    const found = /^https?:\S+$/m.exec(printed)
    if (found !== null) url.resolve(found[0])
  })
  void exited.then(() => url.reject(new Error('the fixture server ended at once')))
  try {
    return { url: await url.promise, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The checks of every scenario that left a result. A client that had to be given up gets a failure of its own. */
async function readChecks({ side }: Leg, results: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const found = new Map<string, readonly Check[]>()
  for (const file of await readdir(results, { recursive: true })) {
    if (basename(file) !== 'checks.json') continue
    const path = join(results, file)
    const folder = relative(results, dirname(path)).split(sep).join('/')
    const name = folder.replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '')
    const checks = JSON.parse(await readFile(path, 'utf8')) as Check[]
    const stderr = await readFile(join(dirname(path), 'stderr.txt'), 'utf8').catch(() => '')
    const hung = /^given up after/m.test(stderr)
      ? [{ id: 'client', status: 'FAILURE', errorMessage: 'the client hung' }]
      : []
    found.set(side === 'server' ? name.replace(/^server-/, '') : name, [...checks, ...hung])
  }
  return found
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
