import type { RegistryView, ResourceEntry, ResourceTemplateEntry } from './entries.ts'

/** What reads a URI: the resource at exactly that URI, else the first template that matches it. */
export function findResource(
  uri: string,
  resource: ResourceEntry | undefined,
  templates: readonly ResourceTemplateEntry[],
): ReturnType<RegistryView['resourceFor']> {
  if (resource !== undefined) {
    const { reentrant, cache } = resource
    return { read: (invocation) => resource.read(uri, invocation), reentrant, cache }
  }
  for (const template of templates) {
    const variables = template.match(uri)
    if (variables !== undefined) {
      return {
        read: (invocation) => template.read(uri, variables, invocation),
        reentrant: template.reentrant,
        cache: template.cache,
      }
    }
  }
  return undefined
}
