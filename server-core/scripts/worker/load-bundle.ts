import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { RegistryError } from '../../registry/errors.ts'
import { handlerErrorText } from '../../registry/handler-errors.ts'
import type { ErrorMapper } from '../../registry/middleware.ts'
import type { PromptDefinition } from '../../registry/prompt-definitions.ts'
import { Registry, type RegistryOptions } from '../../registry/registry.ts'
import type { Report } from '../../registry/report.ts'
import { Defined, type AnyConfiguration } from '../authoring/defined.ts'
import type { BundledScript, ConfigContent } from '../channel.ts'
import { ScriptError } from '../script-error.ts'
import { commented, type ModuleComments } from './commented.ts'
import { namedDefinitions, type NamedDefinition } from './exports.ts'
import { Places } from './places.ts'
import { useWorkspaceConverters } from './workspace-converters.ts'

export type LoadedBundle = { readonly registry: Registry<never>; readonly config?: ConfigContent }

/**
 * Loads a bundled script and registers what it exports, inside what `patchbay.config.ts` says. Throws a `ScriptError`
 * with the place of what is wrong.
 */
export async function loadBundle(
  { file, bundle }: BundledScript,
  folder: string,
  report: Report,
): Promise<LoadedBundle> {
  const places = new Places(folder, bundle)
  // What CommonJS modules of the workspace ask for by `require`.
  Object.defineProperty(globalThis, 'require', {
    value: createRequire(bundle),
    configurable: true,
    writable: true,
  })
  useWorkspaceConverters(folder)
  let loaded: Exports
  try {
    loaded = (await import(pathToFileURL(bundle).href)) as Exports
  } catch (error) {
    const message = `${file} could not be loaded: ${handlerErrorText(error)}`
    throw new ScriptError('evaluation', message, { cause: error, at: places.of(error) })
  }
  const configuration = configurationOf(loaded.config, places)
  const registry = registryOf(configuration?.written, report, configuration && places.of(configuration.place))
  for (const definition of namedDefinitions(loaded.script ?? {}, file, places)) {
    add(registry, definition, loaded.comments, places)
  }
  if (configuration === undefined) return { registry }
  return { registry, config: contentOf(configuration, places) }
}

type Exports = {
  readonly script?: Readonly<Record<string, unknown>>
  readonly config?: Readonly<Record<string, unknown>>
  readonly comments?: ModuleComments
}

type FoundConfiguration = { readonly written: AnyConfiguration; readonly place: Error }

function configurationOf(exports: Exports['config'], places: Places): FoundConfiguration | undefined {
  if (exports === undefined) return undefined
  const found = exports['default']
  if (found instanceof Defined && found.written.kind === 'config') {
    return { written: found.written.definition, place: found.place }
  }
  const at = found instanceof Defined ? places.of(found.place) : undefined
  throw new ScriptError(
    'config',
    "patchbay.config.ts must export its configuration as default: export default config({ … }), with config from 'patchbay'.",
    { at },
  )
}

function registryOf(
  configuration: AnyConfiguration | undefined,
  report: Report,
  at: ReturnType<Places['of']>,
): Registry<never> {
  try {
    return new Registry(optionsOf(configuration, report))
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw new ScriptError('config', `patchbay.config.ts: ${error.message}`, { cause: error, at })
  }
}

function optionsOf(
  { lifespan, guards, interceptors, mapErrors, metadata }: AnyConfiguration = {},
  report: Report,
): RegistryOptions<never> {
  const given = { lifespan, guards, interceptors, metadata, mapError: mapErrors && inOrder(mapErrors) }
  const members = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...(Object.fromEntries(members) as RegistryOptions<never>), report }
}

/** One mapper that asks each until one makes something of the error. */
function inOrder(mappers: readonly ErrorMapper<never>[]): ErrorMapper<never> {
  return async (error, call, ctx) => {
    for (const mapper of mappers) {
      const mapped: unknown = await mapper(error, call, ctx)
      if (mapped !== undefined) return mapped
    }
    return undefined
  }
}

/** What is data of a configuration, as JSON sees it: it leaves this Worker. */
function contentOf({ written, place }: FoundConfiguration, places: Places): ConfigContent {
  const { lifespan, guards, interceptors, mapErrors, metadata, ...data } = written
  const at = places.of(place)
  try {
    return { data: JSON.parse(JSON.stringify(data)), ...(at === undefined ? {} : { at }) }
  } catch (cause) {
    const message = `patchbay.config.ts says something that is not data: ${handlerErrorText(cause)}`
    throw new ScriptError('config', message, { cause, at })
  }
}

function add(
  registry: Registry<never>,
  { name, found }: NamedDefinition,
  comments: ModuleComments | undefined,
  places: Places,
): void {
  try {
    const written = commented(found.written, found, comments, places)
    switch (written.kind) {
      case 'tool':
        registry.addTool({ ...written.definition, name })
        return
      case 'resource':
        registry.addResource({ ...written.definition, name })
        return
      case 'template':
        registry.addResourceTemplate({ ...written.definition, name })
        return
      case 'prompt':
        // What it gives is looked at when it has given it.
        registry.addPrompt({ ...written.definition, name } as PromptDefinition<readonly [], never>)
    }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw new ScriptError('definition', error.message, { cause: error, at: places.of(found.place) })
  }
}
