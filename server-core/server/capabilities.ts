import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { RevisionRow } from '../protocol/revisions.ts'
import type { UpstreamFeature } from '../registry/upstream.ts'
import type { ListKind } from '../protocol/list-kind.ts'
import type { RegistryView } from '../registry/entries.ts'
import { DEPRECATED_CAPABILITIES } from './deprecated/table.ts'
import { CORE_TASKS } from './tasks/core-capability.ts'
import { offersTasks } from './tasks/offered.ts'

/**
 * What a server declares (specification: Lifecycle, capabilities), from what is registered just now: a kind that has
 * entries, or may get some. Changes are promised only of lists that can change. Any resource may be subscribed to,
 * any handler may use what is deprecated, and what takes arguments may complete them, unless the entries are those of
 * another server that does not. Tasks are declared if there are tools for them.
 */
export function capabilitiesOf(registry: RegistryView): JsonObject {
  const tools = declared(registry, 'tools')
  const resources = declared(registry, 'resources')
  const prompts = declared(registry, 'prompts')
  const completes = completesArguments(registry) && offers(registry, 'completions')
  const handles = tools !== undefined || resources !== undefined || prompts !== undefined
  return {
    ...(tools !== undefined && { tools }),
    ...(resources !== undefined && {
      resources: { ...(offers(registry, 'subscriptions') && { subscribe: true }), ...resources },
    }),
    ...(prompts !== undefined && { prompts }),
    ...(completes && { completions: {} }),
    ...(handles && offers(registry, 'logging') && DEPRECATED_CAPABILITIES),
    ...(offersTasks(registry) && { tasks: CORE_TASKS }),
  }
}

function offers({ upstream: upstream }: RegistryView, feature: UpstreamFeature): boolean {
  return upstream === undefined || upstream.offers(feature)
}

/** What a method belongs to; one that is not here belongs to the protocol itself, or to another capability. */
const CAPABILITY_OF: ReadonlyMap<string, ListKind | 'completions' | 'logging'> = new Map([
  ['tools/list', 'tools'],
  ['tools/call', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
  ['resources/read', 'resources'],
  ['resources/subscribe', 'resources'],
  ['resources/unsubscribe', 'resources'],
  ['logging/setLevel', 'logging'],
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
  ['completion/complete', 'completions'],
])

/**
 * Returns whether what is declared just now covers a method that needs no session (Capabilities). A revision that has no
 * such capability has the method without it.
 */
export function offersMethod(registry: RegistryView, row: RevisionRow, method: string): boolean {
  const capability = CAPABILITY_OF.get(method)
  if (capability === undefined || capability === 'logging') return true
  if (capability !== 'completions') return isDeclared(registry, capability)
  return (
    (completesArguments(registry) && offers(registry, 'completions')) ||
    !row.serverCapabilities.includes(capability)
  )
}

/**
 * Returns whether what was declared to a client covers a method (Lifecycle: capability negotiation). A revision that has
 * no such capability has the method without it.
 */
export function coversMethod(capabilities: JsonObject, row: RevisionRow, method: string): boolean {
  const capability = CAPABILITY_OF.get(method)
  if (capability === undefined) return true
  const declared = capabilities[capability]
  if (declared === undefined) return !row.serverCapabilities.includes(capability)
  const subscribes = method === 'resources/subscribe' || method === 'resources/unsubscribe'
  return !subscribes || announcesUpdates(capabilities)
}

/** Returns whether these capabilities promise to tell updates of single resources. */
export function announcesUpdates({ resources }: JsonObject): boolean {
  return isJsonObject(resources) && resources['subscribe'] === true
}

/** Returns whether these capabilities promise to tell changes of a list. */
export function announcesChanges(capabilities: JsonObject, kind: ListKind): boolean {
  const declared = capabilities[kind]
  return isJsonObject(declared) && declared['listChanged'] === true
}

function declared(registry: RegistryView, kind: ListKind): JsonObject | undefined {
  if (!isDeclared(registry, kind)) return undefined
  return registry.listStability(kind) === 'fixed' ? {} : { listChanged: true }
}

function isDeclared(registry: RegistryView, kind: ListKind): boolean {
  return registry.listStability(kind) === 'may-appear' || hasEntries(registry, kind)
}

function hasEntries(registry: RegistryView, kind: ListKind): boolean {
  switch (kind) {
    case 'tools':
      return registry.tools().length > 0
    case 'prompts':
      return registry.prompts().length > 0
    case 'resources':
      return registry.resources().length > 0 || registry.resourceTemplates().length > 0
  }
}

function completesArguments(registry: RegistryView): boolean {
  return (
    isDeclared(registry, 'prompts') ||
    registry.resourceTemplates().length > 0 ||
    registry.listStability('resources') === 'may-appear'
  )
}
