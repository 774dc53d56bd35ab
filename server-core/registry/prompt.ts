import { describedMembers, requireDescribed, requireName } from './described.ts'
import type { PromptEntry } from './entries.ts'
import { RegistryError } from './errors.ts'
import type { HandlerPipeline } from './handler-pipeline.ts'
import { ArgumentsError, withInternalErrors } from './handler-errors.ts'
import type { Middleware } from './middleware.ts'
import type { PromptArgumentDefinition, PromptDefinition } from './prompt-definitions.ts'
import { toPromptOutcome } from './prompt-result.ts'
import type { Completer } from './resource-definitions.ts'

/** A prompt's definition as the registry keeps it, whatever its arguments. */
export type AnyPromptDefinition = Omit<
  PromptDefinition<readonly PromptArgumentDefinition[], never>,
  'get'
> & { get(args: never, ctx: never): unknown }

export type PreparedPrompt = { readonly definition: AnyPromptDefinition; readonly frame: HandlerPipeline }

const NO_TAGS: readonly string[] = Object.freeze([])

/** Checks a definition. Throws a `RegistryError` that says what is wrong. */
export function preparePrompt(
  definition: AnyPromptDefinition,
  frameOf: (own: Middleware<never>) => HandlerPipeline,
): PreparedPrompt {
  requireDescribed('prompt', definition)
  const names = new Set<string>()
  for (const { name } of definition.arguments ?? []) {
    requireName(`argument of prompt "${definition.name}"`, name)
    if (names.has(name)) {
      const message = `Prompt "${definition.name}" declares the argument "${name}" twice.`
      throw new RegistryError('invalid-definition', message)
    }
    names.add(name)
  }
  const stranger = Object.keys(definition.complete ?? {}).find((name) => !names.has(name))
  if (stranger !== undefined) {
    const message = `Prompt "${definition.name}" has no argument "${stranger}" to complete.`
    throw new RegistryError('invalid-definition', message)
  }
  return { definition, frame: frameOf(definition) }
}

/** The entry of a prompt; `current` gives the definition of the moment. */
export function promptEntry({ definition }: PreparedPrompt, current: () => PreparedPrompt): PromptEntry {
  const { name, reentrant = false, arguments: declared = [] } = definition
  return {
    name,
    ...describedMembers(definition),
    arguments: declared.map(({ name: argument, title, description, required }) => ({
      name: argument,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(required === undefined ? {} : { required }),
    })),
    reentrant,
    get: (args, invocation) =>
      withInternalErrors(
        async () => {
          const { definition: prompt, frame } = current()
          const call = {
            kind: 'prompt',
            name: prompt.name,
            tags: prompt.tags ?? NO_TAGS,
            arguments: args,
          } as const
          const value = await frame.run(call, invocation, {
            parse: (given) => checked(prompt, given),
            handle: (given, ctx) => prompt.get({ ...given } as never, ctx as never),
          })
          return toPromptOutcome(value, prompt.description)
        },
        (error) => {
          const { definition: prompt, frame } = current()
          frame.failed(error, 'prompt', prompt.name, invocation)
        },
      ),
  }
}

/** What completes an argument. */
export function completerOf({ definition }: PreparedPrompt, name: string): Completer<never> | undefined {
  const { complete } = definition
  return complete !== undefined && Object.hasOwn(complete, name) ? complete[name] : undefined
}

/** Throws an `ArgumentsError` for an argument that is missing, undeclared or no text (specification: Prompts). */
function checked(
  prompt: AnyPromptDefinition,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const declared = prompt.arguments ?? []
  for (const { name, required } of declared) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    if (value === undefined && required === true) {
      throw new ArgumentsError(`Prompt "${prompt.name}" needs the argument "${name}".`)
    }
    if (value !== undefined && typeof value !== 'string') {
      throw new ArgumentsError(
        `Argument "${name}" of prompt "${prompt.name}" must be a text, got ${typeof value}.`,
      )
    }
  }
  const stranger = Object.keys(args).find((name) => !declared.some((argument) => argument.name === name))
  if (stranger !== undefined) {
    const known =
      declared.length === 0 ? 'it takes none' : `it takes ${declared.map(({ name }) => name).join(', ')}`
    throw new ArgumentsError(`Prompt "${prompt.name}" has no argument "${stranger}"; ${known}.`)
  }
  return args
}
