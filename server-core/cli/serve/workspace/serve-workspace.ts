import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { workspaceSources, type WorkspaceSourcesOptions } from '../../../host/sources/workspace-sources.ts'
import { runAnswers } from '../../../mocks/run-answer.ts'
import { ForkProcessStarter } from '../../../processes/fork-process-starter.ts'
import { defaultProfile } from '../../../profile/profile-files.ts'
import { productVersion } from '../../../host/version.ts'
import { LiveError } from '../../../live/live-error.ts'
import { LiveWorkspace } from '../../../live/live-workspace.ts'
import { startScriptHost } from '../../../scripts/start-script-host.ts'
import { createServer } from '../../../server/server.ts'
import { profileFiles, workspaceFile } from '../../../profile/profile-files.ts'
import { workspaceDocument } from '../../../workspace/server-entries.ts'
import { ExitCode, StartError } from '../../output/exit-code.ts'
import { masking } from '../../output/output.ts'
import { answerModule, scriptModules } from './program-folder.ts'
import { ScriptOutput } from './script-output.ts'
import type { ServeLog } from '../serve-log.ts'
import type { ServeFlags } from '../serve-options.ts'
import { requireServedNames } from '../serve-scopes.ts'
import { ServeSwitch } from '../serve-switch.ts'
import { keptSealKey, readServing, serveUntilEnd } from '../serving.ts'
import { transportsForStored } from '../../connection/stored-transports.ts'
import { trustedFolders } from '../file/trusted-folders.ts'

/** `patchbay serve DIR`: serves a workspace until it is ended. */
export async function serveWorkspace(
  flags: ServeFlags & { readonly folder: string },
  signal: AbortSignal,
): Promise<ExitCode> {
  const folder = await realpath(path.resolve(flags.folder)).catch((error: unknown) => {
    const message = `${path.resolve(flags.folder)} does not exist; "patchbay init ${flags.folder}" creates a workspace`
    throw new StartError(message, { cause: error })
  })
  const mayRun = await trusting(flags, folder)
  // Its options count as its scripts do, so both are of the folder that was tested, whatever a link leads to by now.
  const serving = await readServing({ ...flags, folder, trust: true }, 'serve')
  const { plan, log } = serving
  const { bundles } = profileFiles(flags.profile ?? defaultProfile())
  const transportsFor: WorkspaceSourcesOptions['transportsFor'] = (server) =>
    transportsForStored(server, folder, flags.profile, signal)
  const live = await openLive(folder, bundles, mayRun, transportsFor)
  try {
    requireBundler(live)
    const lines = new ScriptOutput(log)
    lines.begin(live.scripts(), live.log())
    const faults = new FaultReport(live, log)
    const { config } = live
    requireServedNames(plan.network?.authorization?.requiredScopes, live.registry)
    const power = new ServeSwitch(live, log, flags.off === true)
    const server = createServer({
      registry: power.registry,
      info: {
        name: config.name ?? path.basename(folder),
        version: config.version ?? productVersion,
        ...(config.title !== undefined && { title: config.title }),
      },
      get instructions() {
        return live.config.instructions
      },
      sealKey: () => keptSealKey(log),
      ...(plan.revisions !== undefined && { revisions: plan.revisions }),
    })
    live.onChange((change) => {
      if (change.type === 'log') lines.writeStderr(change.lines)
      faults.report()
      power.follow()
    })
    faults.report()
    try {
      const base = path.basename(folder)
      const names = { name: `The workspace ${base}`, serverName: config.name ?? base }
      await serveUntilEnd(
        { server, ...names, prepare: () => server.prepare(), off: () => power.reason },
        serving,
        signal,
      )
    } finally {
      await server.close()
    }
  } finally {
    await live.close()
  }
  return ExitCode.ok
}

/**
 * Tests whether the folder may run.
 *
 * @returns a function that tests a folder that this one mounts: with `--trust` all may run
 * @throws StartError if nothing of the folder may run
 */
async function trusting(flags: ServeFlags, folder: string): Promise<(other: string) => Promise<boolean>> {
  const isTrusted = await trustedFolders(flags.profile)
  const mayRun = async (other: string): Promise<boolean> => flags.trust === true || (await isTrusted(other))
  if (await mayRun(folder)) return mayRun
  throw new StartError(
    `${folder} is not trusted, so nothing of it runs. Look at what is in it; then serve it with --trust, which holds for this run, or open it once in Patchbay's window and trust it there.`,
  )
}

async function openLive(
  folder: string,
  otherBundles: string,
  mayRun: WorkspaceSourcesOptions['mayRun'],
  transportsFor: WorkspaceSourcesOptions['transportsFor'],
): Promise<LiveWorkspace> {
  const scriptHostOf = (each: string) =>
    startScriptHost({
      folder: each,
      starter: new ForkProcessStarter(),
      modules: scriptModules(),
      otherBundles,
    })
  const documentOf = (each: string) => workspaceDocument(workspaceFile(each), 'leave')
  const identity = { name: 'patchbay', title: 'Patchbay', version: productVersion }
  const sources = workspaceSources({
    identity,
    transportsFor: transportsFor,
    mayRun,
    scriptHostOf,
    documentOf,
  })
  try {
    const live = await LiveWorkspace.open({
      folder,
      host: scriptHostOf(folder),
      document: documentOf(folder),
      configure: sources(folder),
      masking,
      answers: { run: runAnswers(folder, { starter: new ForkProcessStarter(), entry: answerModule() }) },
    })
    requireNoCollision(live)
    return live
  } catch (error) {
    if (!(error instanceof LiveError)) throw error
    throw new StartError(error.message, { cause: error })
  }
}

/** At the start nobody relies on either side yet: both are named, and nothing is served. */
function requireNoCollision(live: LiveWorkspace): void {
  const colliding = live.entries().filter(({ error }) => error?.code === 'collision')
  if (colliding.length === 0) return
  const lines = colliding.map(({ error }) => `  ${error?.message ?? ''}`)
  void live.close()
  throw new StartError(`${live.folder} is not served, because names collide:\n${lines.join('\n')}`)
}

/** Logs a problem outside scripts (sources, `patchbay.json`, names) once when it appears and once when it is resolved. */
class FaultReport {
  readonly #live: LiveWorkspace
  readonly #log: ServeLog
  #told: ReadonlySet<string> = new Set()

  constructor(live: LiveWorkspace, log: ServeLog) {
    this.#live = live
    this.#log = log
  }

  report(): void {
    const failing = this.#live.entries().flatMap(({ state, error, origin }) => {
      if (state !== 'failing' || error === undefined) return []
      if (origin.kind !== 'script') return [`${origin.label}: ${error.message}`]
      // The log of scripts has all else; a name that another entry has is not a fault of the script itself.
      return error.code === 'collision' ? [error.message] : []
    })
    const now = new Set([...this.#live.faults().map(({ message }) => message), ...failing])
    for (const message of now) if (!this.#told.has(message)) this.#log.error(message)
    for (const message of this.#told) if (!now.has(message)) this.#log.info(`over: ${message}`)
    this.#told = now
  }
}

/** Throws a `StartError` if no script could be bundled, for a reason that is not in the scripts. */
function requireBundler(live: LiveWorkspace): void {
  const scripts = live.scripts()
  const [first] = scripts
  const isUnusable = scripts.every(
    ({ error, answering }) => error?.code === 'unavailable' && answering === undefined,
  )
  if (first?.error === undefined || !isUnusable) return
  const { message } = first.error
  const remedy = message.includes("'esbuild'")
    ? '\nInstall it where Patchbay is installed: npm install esbuild'
    : ''
  throw new StartError(`No script can be loaded, so nothing is served. ${message}${remedy}`)
}
