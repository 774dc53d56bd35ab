import type { ListedResource, RegistryView } from './entries.ts'
import type { Invocation } from './invocation.ts'

/**
 * What `resources/list` shows (specification: Resources, Listing Resources): the static resources, then those
 * that templates list, each URI once, the first one wins. Without listing templates it is the very array of
 * `resources()`, so that a server can keep what it made of it. Rejects as a template's `list` does.
 */
export async function resourceListing(
  view: RegistryView,
  invocation: Invocation,
): Promise<readonly ListedResource[]> {
  const lists = view
    .resourceTemplates()
    .flatMap((template) => (template.list ? [template.list(invocation)] : []))
  const resources = view.resources()
  if (lists.length === 0) return resources
  const byUri = new Map<string, ListedResource>(resources.map((resource) => [resource.uri, resource]))
  for (const listed of await Promise.all(lists)) {
    for (const resource of listed) {
      if (!byUri.has(resource.uri)) byUri.set(resource.uri, resource)
    }
  }
  return [...byUri.values()]
}
