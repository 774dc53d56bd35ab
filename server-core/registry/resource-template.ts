import { compileUriTemplate, UriTemplateError, type UriTemplate } from '../protocol/uri-template.ts'
import { createContext, type HandlerContext } from './context.ts'
import { describedMembers, requireCacheHints, requireName, requireUri } from './described.ts'
import type { ResourceReturn, ResourceTemplateDefinition } from './definitions.ts'
import type { ResourceTemplateEntry } from './entries.ts'
import { RegistryError } from './errors.ts'
import { withInternalErrors } from './handler-errors.ts'
import { toResourceOutcome } from './resource-result.ts'

/** A template's definition as the registry keeps it, whatever its variables. */
export type AnyTemplateDefinition = Omit<ResourceTemplateDefinition, 'read'> & {
  read(variables: never, ctx: HandlerContext, uri: string): ResourceReturn | Promise<ResourceReturn>
}

export type PreparedTemplate = { readonly definition: AnyTemplateDefinition; readonly compiled: UriTemplate }

/** Checks a definition and compiles its URI template. Throws a `RegistryError` that says what is wrong. */
export function prepareTemplate(definition: AnyTemplateDefinition): PreparedTemplate {
  requireName('resource template', definition.name)
  requireCacheHints(`resource template "${definition.uriTemplate}"`, definition.cache)
  const compiled = compile(definition.uriTemplate)
  const names = new Set(compiled.variables.map(({ name }) => name))
  const stranger = Object.keys(definition.complete ?? {}).find((name) => !names.has(name))
  if (stranger !== undefined) {
    const message = `"${definition.uriTemplate}" has no variable "${stranger}" to complete.`
    throw new RegistryError('invalid-definition', message)
  }
  return { definition, compiled }
}

/** The entry of a template; `current` gives the definition of the moment. */
export function templateEntry(
  prepared: PreparedTemplate,
  current: () => PreparedTemplate,
): ResourceTemplateEntry {
  const { definition, compiled } = prepared
  const { name, uriTemplate, mimeType, annotations, cache, reentrant = false } = definition
  return {
    name,
    uriTemplate,
    ...describedMembers(definition),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(cache === undefined ? {} : { cache }),
    reentrant,
    match: (uri) => compiled.match(uri),
    ...(definition.list === undefined
      ? {}
      : {
          list: (invocation) =>
            withInternalErrors(async () => {
              const listed = (await current().definition.list?.(createContext(invocation))) ?? []
              for (const { uri } of listed) requireUri('listed resource', uri)
              return listed
            }),
        }),
    read: (uri, variables, invocation) =>
      withInternalErrors(async () => {
        const template = current().definition
        const value = await template.read(variables as never, createContext(invocation), uri)
        return toResourceOutcome(value, uri, template.mimeType)
      }),
  }
}

function compile(uriTemplate: string): UriTemplate {
  requireUri('resource template', uriTemplate)
  try {
    return compileUriTemplate(uriTemplate)
  } catch (error) {
    if (error instanceof UriTemplateError) {
      throw new RegistryError('invalid-definition', error.message, { cause: error })
    }
    throw error
  }
}
