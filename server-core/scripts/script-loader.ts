import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Bundle } from './bundle.ts'
import { Bundler } from './bundler.ts'
import type { BundledScript, ConfigContent, ScriptContent } from './channel.ts'
import { cleanEnvironment } from './clean-environment.ts'
import type { ConfigData } from './config-data.ts'
import { CONFIG_FILES, isConfigFile } from './config-files.ts'
import type { ContentCache } from './content-cache.ts'
import type { ContentReader, ReadOptions } from './content-reader.ts'
import type { ScriptEntries } from './entries.ts'
import { ScriptError } from './script-error.ts'

/** What the configuration of a workspace says of how its scripts run. */
export type ScriptSettings = {
  /** The whole environment of a Worker. */
  readonly env: Readonly<Record<string, string>>
  readonly limits: NonNullable<ConfigData['limits']>
}

/** A script as it is on disk: bundled, and not looked into yet. */
export type FoundScript = {
  readonly file: string
  /** Of the bundle and of what it runs with. */
  readonly hash: string
  readonly inputs: readonly string[]
  readonly code: string
  readonly settings: ScriptSettings
}

/** A script and what it serves. */
export type KnownScript = {
  readonly script: BundledScript
  readonly content: ScriptContent
  readonly config?: ConfigData
}

type KnownConfig = {
  readonly file: string
  readonly bundle: Bundle
  readonly signature: string
  readonly settings: ScriptSettings
}

export type LoaderParts = {
  /** Absolute, without symbolic links. */
  readonly folder: string
  readonly entries: ScriptEntries
  readonly cache: ContentCache
  readonly reader: ContentReader
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds that a script may take to be loaded, unless the configuration says otherwise. */
  readonly startMs: number
}

/** Receives what happens while a script is read. */
export type LoadEvents = Pick<ReadOptions, 'onNews' | 'onCrash'>

/** Finds scripts, bundles them with the configuration of their workspace, and reports what they serve. */
export class ScriptLoader {
  readonly #parts: LoaderParts
  readonly #bundler: Bundler
  #config: Promise<KnownConfig | undefined> | undefined

  constructor(parts: LoaderParts) {
    this.#parts = parts
    const { folder, cache, entries } = parts
    this.#bundler = new Bundler({ folder, into: cache.folder, entries })
  }

  /** Bundles a script as it is on disk. Rejects with a `ScriptError`. */
  async find(named: string): Promise<FoundScript> {
    const { folder } = this.#parts
    const file = this.#fileOf(named)
    if (isConfigFile(file)) {
      const bundle = await this.#bundler.bundle({ script: undefined, config: file })
      return { file, ...bundle, settings: this.#settings(undefined) }
    }
    const config = await this.#currentConfig()
    let bundle: Bundle
    try {
      bundle = await this.#bundler.bundle({ script: file, config: config?.file })
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      throw new ScriptError(error.code, error.message, {
        cause: error,
        at: error.at,
        inputs: [...new Set([path.join(folder, file), ...error.inputs])],
      })
    }
    return { file, ...bundle, settings: config?.settings ?? this.#settings(undefined) }
  }

  /** Returns what a script serves: what is known of it, else by looking into it. Rejects with a `ScriptError`. */
  async know(found: FoundScript, events: LoadEvents): Promise<KnownScript> {
    const { cache, reader, startMs } = this.#parts
    const { file, hash, code, settings, inputs } = found
    const bundle = await cache.keepBundle(hash, code)
    const script = { file, bundle }
    try {
      let content = await cache.content(hash)
      if (content === undefined) {
        content = await reader.read(script, {
          env: settings.env,
          timeoutMs: settings.limits.startMs ?? startMs,
          ...events,
        })
        await cache.keepContent(hash, content)
      }
      const { config } = content
      if (config === undefined || !isConfigFile(file)) return { script, content }
      return { script, content, config: await configData(config, file) }
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      throw new ScriptError(error.code, error.message, { cause: error, at: error.at, inputs })
    }
  }

  #fileOf(named: string): string {
    const { folder } = this.#parts
    const relative = path.relative(folder, path.resolve(folder, named))
    if (relative === '' || relative.startsWith('..') || path.isAbsolute(relative)) {
      throw new ScriptError('missing', `${named} is not in the folder of the workspace.`)
    }
    return relative.replaceAll(path.sep, '/')
  }

  /** The configuration as it is on disk; looked into again only if one of its files changed. */
  async #currentConfig(): Promise<KnownConfig | undefined> {
    const before = await this.#config?.catch(() => undefined)
    if (before === undefined || (await signatureOf(before.bundle.inputs)) !== before.signature) {
      this.#config = this.#readConfig()
    }
    return this.#config
  }

  async #readConfig(): Promise<KnownConfig | undefined> {
    const file = await this.#configFile()
    if (file === undefined) return undefined
    const found = await this.find(file)
    const signature = await signatureOf(found.inputs)
    const { config } = await this.know(found, { onNews: () => undefined, onCrash: () => undefined })
    const { code, hash, inputs } = found
    return { file, bundle: { code, hash, inputs }, signature, settings: this.#settings(config) }
  }

  async #configFile(): Promise<string | undefined> {
    for (const file of CONFIG_FILES) {
      try {
        await access(path.join(this.#parts.folder, file))
        return file
      } catch {
        // The next one may be there.
      }
    }
    return undefined
  }

  #settings(config: ConfigData | undefined): ScriptSettings {
    const { environment } = this.#parts
    const allowed = (config?.environment ?? []).flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    return { env: { ...cleanEnvironment(), ...Object.fromEntries(allowed) }, limits: config?.limits ?? {} }
  }
}

async function configData({ data, at }: ConfigContent, file: string): Promise<ConfigData> {
  const { configSchema } = await import('./config-data.ts')
  const parsed = configSchema.safeParse(data)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path: members, message }) =>
    members.length === 0 ? message : `${members.map(String).join('.')}: ${message}`,
  )
  throw new ScriptError('config', `${file} cannot be used: ${problems.join('; ')}.`, { at })
}

/** Changes whenever one of the files may have. */
async function signatureOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(
    files.map(async (file) => {
      try {
        const { mtimeMs, size, ino } = await stat(file)
        return `${file}:${mtimeMs}:${size}:${ino}`
      } catch {
        return `${file}:missing`
      }
    }),
  )
  return states.join('\n')
}
