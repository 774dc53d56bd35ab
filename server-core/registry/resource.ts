import { createContext } from './context.ts'
import { describedMembers, requireCacheHints, requireName, requireUri } from './described.ts'
import type { ResourceDefinition } from './definitions.ts'
import type { ResourceEntry } from './entries.ts'
import { withInternalErrors } from './handler-errors.ts'
import { toResourceOutcome } from './resource-result.ts'

/** Checks a definition and gives it back. Throws a `RegistryError` that says what is wrong. */
export function checkResource(definition: ResourceDefinition): ResourceDefinition {
  requireName('resource', definition.name)
  requireUri('resource', definition.uri)
  requireCacheHints(`resource "${definition.uri}"`, definition.cache)
  return definition
}

/** The entry of a resource; `current` gives the definition of the moment. */
export function resourceEntry(
  definition: ResourceDefinition,
  current: () => ResourceDefinition,
): ResourceEntry {
  const { uri, name, size, annotations, cache, reentrant = false } = definition
  return {
    name,
    uri,
    ...describedMembers(definition),
    mimeType: mimeTypeOf(definition),
    ...(size === undefined ? {} : { size }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(cache === undefined ? {} : { cache }),
    reentrant,
    read: (asked, invocation) =>
      withInternalErrors(async () => {
        const { read, mimeType } = current()
        const value = typeof read === 'function' ? await read(createContext(invocation), asked) : read
        return toResourceOutcome(value, asked, mimeType)
      }),
  }
}

function mimeTypeOf({ mimeType, read }: ResourceDefinition): string {
  return mimeType ?? (read instanceof Uint8Array ? 'application/octet-stream' : 'text/plain')
}
