import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { TAGS_KEY } from '../protocol/tags.ts'
import { annotationsDefect } from './annotations.ts'
import { isUri } from './content.ts'
import type { Described } from './definitions.ts'
import type { CacheHints } from './entries.ts'
import { RegistryError } from './errors.ts'
import { validateMiddleware } from './handler-pipeline.ts'
import { validateDefinition, type DefinitionKind } from './validate-definition.ts'

/** The members that every kind shares, without those that are not there. */
export function describedMembers({ title, description, icons, meta, tags }: Described<never>) {
  const tagged = tags === undefined || tags.length === 0 ? meta : { ...meta, [TAGS_KEY]: tags }
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icons === undefined ? {} : { icons }),
    ...(tagged === undefined ? {} : { meta: tagged }),
    ...(tags === undefined ? {} : { tags }),
  }
}

/** Throws a `RegistryError` that says what is wrong with the members that every kind shares. */
export function requireDescribed(
  kind: DefinitionKind,
  definition: Described<never> & { readonly name: string },
): void {
  requireName(kind, definition.name)
  const what = `${kind} "${definition.name}"`
  validateDefinition(kind, what, definition)
  validateMiddleware(what, definition)
  for (const [place, icon] of (definition.icons ?? []).entries())
    requireIcon(`icon ${place + 1} of ${what}`, icon)
  if (definition.tags?.every((tag) => typeof tag === 'string' && tag !== '') === false) {
    throw invalid(`A tag of ${what} is empty or no text.`)
  }
}

/** Throws a `RegistryError` if a name is not text or empty. */
export function requireName(what: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return
  throw invalid(`A ${what} needs a name: a text that is not empty.`)
}

/** Throws a `RegistryError` if a URI is empty or has white space. */
export function requireUri(what: string, uri: unknown): void {
  if (isUri(uri)) return
  const came = typeof uri === 'string' ? `"${uri}"` : typeof uri
  throw invalid(`The URI of a ${what} has no white space and is not empty; got ${came}.`)
}

/** Throws a `RegistryError` if annotations break the specification (Resources, Annotations). */
export function requireAnnotations(what: string, annotations: JsonObject | undefined): void {
  const problem = annotationsDefect(annotations)
  if (problem !== undefined) throw invalid(`Of ${what}, ${problem}.`)
}

/** Throws a `RegistryError` if hints for caches are invalid (2026-07-28, Caching). */
export function requireCacheHints(what: string, hints: CacheHints | undefined): void {
  if (hints === undefined) return
  if (!Number.isSafeInteger(hints.ttlMs) || hints.ttlMs < 0) {
    throw invalid(`cache.ttlMs of ${what} is ${hints.ttlMs}; expected whole milliseconds from 0.`)
  }
  if (!['public', 'private'].includes(hints.scope)) {
    throw invalid(`cache.scope of ${what} is ${JSON.stringify(hints.scope)}; expected "public" or "private".`)
  }
}

function requireIcon(what: string, icon: unknown): void {
  const src = isJsonObject(icon) ? icon['src'] : undefined
  if (typeof src === 'string' && /^(https|data):/i.test(src)) return
  throw invalid(`The ${what} needs "src", an https: or data: URL; got ${JSON.stringify(src)}.`)
}

function invalid(message: string): RegistryError {
  return new RegistryError('invalid-definition', message)
}
