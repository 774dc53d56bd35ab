import { compileUriTemplate, UriTemplateError, type UriTemplate } from '../protocol/uri-template.ts'
import {
  describedMembers,
  requireAnnotations,
  requireCacheHints,
  requireDescribed,
  requireUri,
} from './described.ts'
import type { ListedResource, ResourceTemplateEntry } from './entries.ts'
import { ForbiddenError, RegistryError } from './errors.ts'
import type { HandlerPipeline } from './handler-pipeline.ts'
import { withInternalErrors } from './handler-errors.ts'
import type { Middleware } from './middleware.ts'
import type { Invocation } from './invocation.ts'
import type {
  Completer,
  ExpansionValues,
  ResourceReturn,
  ResourceTemplateDefinition,
  VariableSchemas,
} from './resource-definitions.ts'
import { toResourceOutcome } from './resource-result.ts'
import { matchTyped, prepareVariables, type PreparedVariables } from './uri-variables.ts'

/** A template's definition as the registry keeps it, whatever its variables. */
export type AnyTemplateDefinition = Omit<
  ResourceTemplateDefinition<string, VariableSchemas | undefined, never>,
  'read'
> & {
  read(variables: never, ctx: never, uri: string): ResourceReturn | Promise<ResourceReturn>
}

export type PreparedTemplate = {
  readonly definition: AnyTemplateDefinition
  readonly compiled: UriTemplate
  readonly variables: PreparedVariables
  readonly frame: HandlerPipeline
}

const NO_VARIABLES = Object.freeze({})
const NO_TAGS: readonly string[] = Object.freeze([])

/** Checks a definition and compiles its URI template. Throws a `RegistryError` that says what is wrong. */
export function prepareTemplate(
  definition: AnyTemplateDefinition,
  frameOf: (own: Middleware<never>) => HandlerPipeline,
): PreparedTemplate {
  const { uriTemplate } = definition
  requireDescribed('resource template', definition)
  requireAnnotations(`resource template "${uriTemplate}"`, definition.annotations)
  requireCacheHints(`resource template "${uriTemplate}"`, definition.cache)
  const compiled = compile(uriTemplate)
  const names = new Set(compiled.variables.map(({ name }) => name))
  const stranger = Object.keys(definition.complete ?? {}).find((name) => !names.has(name))
  if (stranger !== undefined) {
    const message = `"${uriTemplate}" has no variable "${stranger}" to complete.`
    throw new RegistryError('invalid-definition', message)
  }
  const variables = prepareVariables(compiled, definition.variables)
  return { definition, compiled, variables, frame: frameOf(definition) }
}

/** The entry of a template; `current` gives the definition of the moment. */
export function templateEntry(
  { definition, compiled, variables }: PreparedTemplate,
  current: () => PreparedTemplate,
): ResourceTemplateEntry {
  const { name, uriTemplate, mimeType, annotations, cache, reentrant = false } = definition
  const { types } = variables
  return {
    name,
    uriTemplate,
    ...describedMembers(definition),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(cache === undefined ? {} : { cache }),
    ...(types === undefined ? {} : { variableTypes: types }),
    reentrant,
    match: (uri) => matchTyped(compiled, types, uri),
    ...(definition.list === undefined
      ? {}
      : {
          list: (invocation) =>
            withInternalErrors(
              () => list(current(), invocation),
              (error) => {
                const { definition: template, frame } = current()
                frame.failed(error, 'list', template.name, invocation)
              },
            ),
        }),
    read: (uri, texts, invocation) =>
      withInternalErrors(
        async () => {
          const { definition: template, variables: prepared, frame } = current()
          const { tags = NO_TAGS } = template
          const call = { kind: 'template', name: template.name, tags, uri, arguments: texts } as const
          const value = await frame.run(call, invocation, {
            parse: prepared.parse,
            handle: (given, ctx) => template.read(given as never, ctx as never, uri),
          })
          return toResourceOutcome(value, uri, template.mimeType)
        },
        (error) => {
          const { definition: template, frame } = current()
          frame.failed(error, 'template', template.name, invocation)
        },
      ),
  }
}

/** What completes a variable: the author's completer, else the values of its schema. */
export function completerOf(
  { definition, variables }: PreparedTemplate,
  name: string,
): Completer<never> | undefined {
  const { complete } = definition
  const own = complete !== undefined && Object.hasOwn(complete, name) ? complete[name] : undefined
  return own ?? variables.values(name)
}

/** The URI for these values. Throws a `UriTemplateError` that names a missing one, or one that its schema refuses. */
export function expandTemplate({ compiled, variables }: PreparedTemplate, values: ExpansionValues): string {
  const texts = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = typeof value === 'object' ? value.map(String) : String(value)
    const problem = variables.defect(name, text)
    if (problem !== undefined) {
      throw new UriTemplateError(`The URI template "${compiled.template}" cannot take "${name}": ${problem}.`)
    }
    return [[name, text] as const]
  })
  return compiled.expand(Object.fromEntries(texts))
}

/** Who may not see what a template lists sees none of it; the rest of the list is still theirs. */
async function list(
  { definition, frame }: PreparedTemplate,
  invocation: Invocation,
): Promise<readonly ListedResource[]> {
  const { name, tags = NO_TAGS } = definition
  const call = { kind: 'list', name, tags, arguments: NO_VARIABLES } as const
  try {
    const listed = (await frame.run(call, invocation, {
      handle: (_, ctx) => definition.list?.(ctx) ?? [],
    })) as readonly ListedResource[]
    for (const { uri } of listed) requireUri('listed resource', uri)
    return listed
  } catch (error) {
    if (error instanceof ForbiddenError) return []
    throw error
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
