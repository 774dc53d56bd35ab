import {
  describedMembers,
  requireAnnotations,
  requireCacheHints,
  requireDescribed,
  requireUri,
} from './described.ts'
import type { ResourceEntry } from './entries.ts'
import type { HandlerPipeline } from './handler-pipeline.ts'
import { withInternalErrors } from './handler-errors.ts'
import type { Middleware } from './middleware.ts'
import type { ResourceDefinition } from './resource-definitions.ts'
import { toResourceOutcome } from './resource-result.ts'

export type AnyResourceDefinition = ResourceDefinition<never>
export type PreparedResource = { readonly definition: AnyResourceDefinition; readonly frame: HandlerPipeline }

const NO_VARIABLES = Object.freeze({})
const NO_TAGS: readonly string[] = Object.freeze([])

/** Checks a definition. Throws a `RegistryError` that says what is wrong. */
export function prepareResource(
  definition: AnyResourceDefinition,
  frameOf: (own: Middleware<never>) => HandlerPipeline,
): PreparedResource {
  requireDescribed('resource', definition)
  requireUri('resource', definition.uri)
  requireAnnotations(`resource "${definition.uri}"`, definition.annotations)
  requireCacheHints(`resource "${definition.uri}"`, definition.cache)
  return { definition, frame: frameOf(definition) }
}

/** The entry of a resource; `current` gives the definition of the moment. */
export function resourceEntry(
  { definition }: PreparedResource,
  current: () => PreparedResource,
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
      withInternalErrors(
        async () => {
          const { definition: resource, frame } = current()
          const { read, mimeType, tags = NO_TAGS } = resource
          if (typeof read !== 'function' && frame.bare) return toResourceOutcome(read, asked, mimeType)
          const call = {
            kind: 'resource',
            name: resource.name,
            tags,
            uri: asked,
            arguments: NO_VARIABLES,
          } as const
          const value = await frame.run(call, invocation, {
            handle: (_, ctx) => (typeof read === 'function' ? read(ctx, asked) : read),
          })
          return toResourceOutcome(value, asked, mimeType)
        },
        (error) => {
          const { definition: resource, frame } = current()
          frame.failed(error, 'resource', resource.name, invocation)
        },
      ),
  }
}

function mimeTypeOf({ mimeType, read }: AnyResourceDefinition): string {
  return mimeType ?? (read instanceof Uint8Array ? 'application/octet-stream' : 'text/plain')
}
