import { Emitter } from '../protocol/emitter.ts'
import { realpathSync, statSync } from 'node:fs'
import type { ProcessStarter } from '../processes/process-starter.ts'
import { limitsOf, type Limits } from '../protocol/limits.ts'
import { bundleFolder } from './bundle-folder.ts'
import type { WorkerNews } from './channel.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { ContentCache } from './content-cache.ts'
import { ContentReader } from './content-reader.ts'
import { CrashCounter } from './crash-counter.ts'
import { scriptEntriesIn, type ScriptEntries } from './entries.ts'
import { ProcessPool } from './process-pool.ts'
import { ScriptError } from './script-error.ts'
import type { LoadedScript, ScriptEvent, ScriptHost, ScriptHostState, WorkerMemory } from './script-host.ts'
import { ScriptLoader, type FoundScript, type KnownScript } from './script-loader.ts'
import { ScriptRevision } from './script-revision.ts'
import type { LinkEnd } from './worker-link.ts'

export type ScriptHostOptions = {
  /** Absolute path of the workspace. */
  readonly folder: string
  readonly starter: ProcessStarter
  /** Folder of the built tool host (`dist/scripts`), or of its sources. */
  readonly modules: string
  /** Where bundles of workspaces are kept that are read-only; such are not loaded if not given. */
  readonly otherBundles?: string
  readonly limits?: Partial<Limits>
  /** Variables of which `patchbay.config.ts` may let scripts see some; those of this process if not given. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/**
 * Makes the script host of a workspace, and starts its processes. No code of the workspace runs before the first `load`;
 * that the user trusts the folder is for the caller to know. Throws a `ScriptError` if there is no such folder.
 */
export function startScriptHost(options: ScriptHostOptions): ScriptHost {
  return new WorkspaceScripts(options)
}

type Loaded = { readonly script: LoadedScript; readonly running: ScriptRevision }

class WorkspaceScripts implements ScriptHost {
  readonly #folder: string
  readonly #limits: Limits
  readonly #pool: ProcessPool
  readonly #crashes: CrashCounter
  readonly #reader: ContentReader
  readonly #loader: ScriptLoader
  readonly #current = new Map<string, Loaded>()
  readonly #revisions = new Map<number, Loaded>()
  readonly #loads = new Map<string, Promise<unknown>>()
  readonly #events = new Emitter<ScriptEvent>()
  readonly #states = new Emitter()
  #count = 0
  #closing: Promise<void> | undefined

  constructor(options: ScriptHostOptions) {
    const { modules, starter, environment = process.env } = options
    const folder = realFolder(options.folder)
    const limits = limitsOf(options.limits)
    const entries = scriptEntriesIn(modules)
    this.#folder = folder
    this.#limits = limits
    this.#crashes = new CrashCounter(limits.scriptCrashes, limits.scriptCrashMs)
    const onStray = (line: { readonly stream: 'stdout' | 'stderr'; readonly text: string }) => {
      this.#emit({ type: 'stray-output', ...line })
    }
    const { scriptOutputBytes: outputBytes, scriptGraceMs: graceMs } = limits
    const parts = { starter, entries, folder, outputBytes, graceMs, onStray }
    this.#pool = new ProcessPool(parts, limits.scriptIdleMs, () => {
      this.#stateChanged()
    })
    const start = { ...this.#workerStart(), env: cleanEnvironment() }
    this.#reader = new ContentReader(this.#pool, start, limits.scriptIdleMs)
    const bundles = bundleFolder(folder, options.otherBundles)
    const cache = new ContentCache(bundles.folder, stampOf(entries), bundles.make)
    const startMs = limits.scriptStartMs
    this.#loader = new ScriptLoader({ folder, entries, cache, reader: this.#reader, environment, startMs })
    void cache.prune()
    this.#pool.spare().catch(() => undefined)
  }

  load(file: string): Promise<LoadedScript> {
    const before = this.#loads.get(file) ?? Promise.resolve()
    const load = before.catch(() => undefined).then(() => this.#load(file))
    this.#loads.set(file, load)
    const forget = () => {
      if (this.#loads.get(file) === load) this.#loads.delete(file)
    }
    load.then(forget, forget)
    return load
  }

  release(revision: number): void {
    const loaded = this.#revisions.get(revision)
    if (loaded === undefined) return
    if (this.#current.get(loaded.script.file) === loaded) this.#current.delete(loaded.script.file)
    loaded.running.release()
    this.#stateChanged()
  }

  switchOn(file: string): void {
    if (this.#crashes.forgive(file)) this.#stateChanged()
  }

  state(): ScriptHostState {
    const workers = [...this.#revisions.values()].flatMap(({ script: { file, revision }, running }) => {
      const { callsInFlight, draining } = running
      return callsInFlight === undefined ? [] : [{ file, revision, callsInFlight, draining }]
    })
    return { pid: this.#pool.pid, spareReady: this.#pool.spareReady, workers }
  }

  async memory(): Promise<readonly WorkerMemory[]> {
    const perProcess = await Promise.all(
      this.#pool.running().map(async (running) => ({ running, measured: await running.measure() })),
    )
    return [...this.#revisions.values()].flatMap(({ script: { file, revision }, running: { worker } }) =>
      perProcess
        .filter(({ running }) => worker !== undefined && running.has(worker))
        .flatMap(({ measured }) => measured.filter((one) => one.worker === worker?.worker))
        .map(({ heapBytes, externalBytes }) => ({ file, revision, heapBytes, externalBytes })),
    )
  }

  onEvent(listener: (event: ScriptEvent) => void): () => void {
    return this.#events.listen(listener)
  }

  onStateChange(listener: () => void): () => void {
    return this.#states.listen(listener)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#reader.close()
    await Promise.all([...this.#revisions.values()].map(({ running }) => running.stop()))
    await this.#pool.close()
    this.#revisions.clear()
    this.#current.clear()
  }

  async #load(named: string): Promise<LoadedScript> {
    if (this.#closing !== undefined) {
      throw new ScriptError('unavailable', 'The workspace is closed; its scripts are not loaded any more.')
    }
    this.#reader.warm({ file: named, bundle: '' })
    const found = await this.#loader.find(named)
    const known = this.#current.get(found.file)
    if (known?.script.hash === found.hash) return known.script
    const revision = (this.#count += 1)
    const of = { file: found.file, revision }
    const script = await this.#loader.know(found, {
      onNews: (news) => {
        this.#news(of, news)
      },
      onCrash: (end) => {
        this.#crashed(of, end)
      },
    })
    this.#crashes.forgive(found.file)
    return this.#add(revision, found, script)
  }

  #add(revision: number, found: FoundScript, { script, content, config }: KnownScript): LoadedScript {
    const { file, hash, inputs, settings } = found
    const of = { file, revision }
    const { heapMegabytes, memoryMegabytes, startMs } = settings.limits
    const running = new ScriptRevision(content.definitions, {
      file,
      pool: this.#pool,
      start: {
        ...this.#workerStart(),
        ...(heapMegabytes === undefined ? {} : { heapMegabytes }),
        ...(memoryMegabytes === undefined ? {} : { memoryMegabytes }),
        env: settings.env,
        job: { type: 'serve', script },
      },
      startMs: startMs ?? this.#limits.scriptStartMs,
      limits: this.#limits,
      whyOff: () => this.#crashes.whyOff(file),
      onStarted: () => {
        this.#emit({ type: 'started', ...of })
        this.#stateChanged()
      },
      onNews: (news) => {
        this.#news(of, news)
      },
      onEnded: (end) => {
        if (end.by === 'itself') this.#crashed(of, end)
        else if (end.by === 'perhaps') this.#suspected(of, end)
        else this.#emit({ type: 'ended', ...of })
        this.#stateChanged()
      },
      onDrained: () => {
        this.#revisions.delete(revision)
        this.#stateChanged()
      },
    })
    const loaded: Loaded = {
      script: { ...of, hash, inputs, view: running.view, ...(config === undefined ? {} : { config }) },
      running,
    }
    this.#current.set(file, loaded)
    this.#revisions.set(revision, loaded)
    return loaded.script
  }

  #workerStart() {
    const { scriptHeapMegabytes, scriptMemoryMegabytes, scriptOutputBytes } = this.#limits
    return {
      folder: this.#folder,
      heapMegabytes: scriptHeapMegabytes,
      memoryMegabytes: scriptMemoryMegabytes,
      outputBytes: scriptOutputBytes,
    }
  }

  #news(of: { readonly file: string; readonly revision: number }, news: WorkerNews): void {
    if (news.type !== 'dying') this.#emit({ ...news, ...of })
  }

  /** Told, but not counted: it may have been another. */
  #suspected(of: { readonly file: string; readonly revision: number }, { reason, calls }: LinkEnd): void {
    this.#pool.keepApart(of.file)
    this.#emit({ type: 'crash', ...of, reason, calls, endedProcess: true })
  }

  #crashed(of: { readonly file: string; readonly revision: number }, end: LinkEnd): void {
    const { reason, at, calls, endedProcess } = end
    this.#emit({ type: 'crash', ...of, reason, ...(at === undefined ? {} : { at }), calls, endedProcess })
    const off = this.#crashes.crashed(of.file, reason, performance.now())
    if (off !== undefined) this.#emit({ type: 'stopped', ...of, reason: off })
  }

  #emit(event: ScriptEvent): void {
    this.#events.emit(event)
  }

  #stateChanged(): void {
    this.#states.emit()
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch (cause) {
    throw new ScriptError('missing', `There is no folder ${folder}.`, { cause })
  }
}

/** Different for every build: what a script serves is read by our own code. */
function stampOf({ authoring, worker }: ScriptEntries): string {
  return [authoring, worker]
    .map((file) => {
      const { mtimeMs, size } = statSync(file)
      return `${file}:${mtimeMs}:${size}`
    })
    .join('\n')
}
