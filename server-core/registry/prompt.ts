import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { createContext, type HandlerContext } from './context.ts'
import { describedMembers, requireName } from './described.ts'
import type { PromptDefinition } from './definitions.ts'
import type { PromptEntry } from './entries.ts'
import { RegistryError } from './errors.ts'
import { withInternalErrors } from './handler-errors.ts'
import { toPromptOutcome } from './prompt-result.ts'

/** A prompt's definition as the registry keeps it, whatever its arguments. */
export type AnyPromptDefinition = Omit<PromptDefinition, 'get'> & {
  get(args: never, ctx: HandlerContext): unknown
}

/** Checks a definition and gives it back. Throws a `RegistryError` that says what is wrong. */
export function checkPrompt(definition: AnyPromptDefinition): AnyPromptDefinition {
  requireName('prompt', definition.name)
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
  return definition
}

/** The entry of a prompt; `current` gives the definition of the moment. */
export function promptEntry(
  definition: AnyPromptDefinition,
  current: () => AnyPromptDefinition,
): PromptEntry {
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
      withInternalErrors(async () => {
        const prompt = current()
        checkArguments(prompt, args)
        const value = await prompt.get({ ...args } as never, createContext(invocation))
        return toPromptOutcome(value, prompt.description)
      }),
  }
}

/** Throws `invalidParams` for an argument that is missing, undeclared or no text (specification: Prompts). */
function checkArguments(prompt: AnyPromptDefinition, args: Readonly<Record<string, unknown>>): void {
  const declared = prompt.arguments ?? []
  for (const { name, required } of declared) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    if (value === undefined && required === true) {
      throw new ProtocolError(
        ErrorCode.invalidParams,
        `Prompt "${prompt.name}" needs the argument "${name}".`,
      )
    }
    if (value !== undefined && typeof value !== 'string') {
      const message = `Argument "${name}" of prompt "${prompt.name}" must be a text, got ${typeof value}.`
      throw new ProtocolError(ErrorCode.invalidParams, message)
    }
  }
  const stranger = Object.keys(args).find((name) => !declared.some((argument) => argument.name === name))
  if (stranger !== undefined) {
    const known =
      declared.length === 0 ? 'it takes none' : `it takes ${declared.map(({ name }) => name).join(', ')}`
    const message = `Prompt "${prompt.name}" has no argument "${stranger}"; ${known}.`
    throw new ProtocolError(ErrorCode.invalidParams, message)
  }
}
