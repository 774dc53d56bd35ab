/**
 * What scripts import as 'patchbay'. It adds nothing to the registry's own model: a script says what is served, and
 * whoever runs it registers that.
 */
import type { JsonSchema } from '../../protocol/json.ts'
import type { HandlerContext } from '../../registry/context.ts'
import type { ToolDefinition } from '../../registry/definitions.ts'
import type { PromptArgumentDefinition, PromptDefinition } from '../../registry/prompt-definitions.ts'
import type {
  ResourceDefinition,
  ResourceTemplateDefinition,
  VariableSchemas,
} from '../../registry/resource-definitions.ts'
import type { SchemaInput } from '../../registry/schema.ts'
import type { Configuration } from './configuration.ts'
import { Defined, type Written } from './defined.ts'

export { z } from 'zod'
export { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
export { ClientAnswerError, ElicitationRefusedError, QuestionError } from '../../registry/answers.ts'
export { concealErrors } from '../../registry/conceal-errors.ts'
export { ForbiddenError, ResourceNotFoundError } from '../../registry/errors.ts'
export { ArgumentsError } from '../../registry/handler-errors.ts'
export { InputUnavailableError } from '../../registry/invocation.ts'
export type { ToolDefinition } from '../../registry/definitions.ts'
export type { PromptDefinition, PromptMessage } from '../../registry/prompt-definitions.ts'
export type { ResourceDefinition, ResourceTemplateDefinition } from '../../registry/resource-definitions.ts'
export type { ErrorMapper, Guard, HandlerCall, Interceptor } from '../../registry/middleware.ts'
export type { Lifespan } from '../../registry/lifespan.ts'
export type { SharedStore } from '../../registry/invocation.ts'
export type { Configuration, WorkerLimits } from './configuration.ts'
export type { Defined } from './defined.ts'
export { audio, embedded, failure, image, link, text } from './content.ts'

/**
 * What compilers should know of your workspace: `declare module 'patchbay' { interface Workspace { shares: Shared } }`
 * makes `ctx.lifespan` of every handler a `Shared`.
 */
export interface Workspace {
  readonly format: 1
}

/** What the lifespan of `patchbay.config.ts` gives, as far as `Workspace` says. */
export type Shared = Workspace extends { readonly shares: infer L } ? L : unknown

/** What a handler can reach beside its arguments. */
export type Context<L = Shared> = HandlerContext<L>

/** A definition whose name may be left to the file, or to the name under which it is exported. */
type Unnamed<D extends { readonly name: string }> = Omit<D, 'name'> & { readonly name?: string }

/**
 * A tool: its arguments by zod or JSON Schema, and what it does.
 *
 * @example
 * ```ts
 * import { tool, z } from 'patchbay'
 *
 * export default tool({
 *   description: 'Greets somebody.',
 *   input: z.object({ name: z.string() }),
 *   run: ({ name }) => `Hello, ${name}!`,
 * })
 * ```
 */
export function tool<I extends SchemaInput = JsonSchema, O extends SchemaInput = JsonSchema, L = Shared>(
  definition: Unnamed<ToolDefinition<I, O, L>>,
): Defined {
  return defined({ kind: 'tool', definition })
}

/**
 * A resource at one URI.
 *
 * @example
 * ```ts
 * import { resource } from 'patchbay'
 *
 * export default resource({ uri: 'about://server', name: 'about', read: () => 'A server made of scripts.' })
 * ```
 */
export function resource<L = Shared>(definition: Unnamed<ResourceDefinition<L>>): Defined {
  return defined({ kind: 'resource', definition })
}

/**
 * The resources that a URI template names.
 *
 * @example
 * ```ts
 * import { template } from 'patchbay'
 *
 * export default template({
 *   name: 'note',
 *   uriTemplate: 'notes://{id}',
 *   read: ({ id }) => `Note ${id}`,
 * })
 * ```
 */
export function template<
  T extends string,
  const V extends VariableSchemas | undefined = undefined,
  L = Shared,
>(definition: Unnamed<ResourceTemplateDefinition<T, V, L>>): Defined {
  return defined({ kind: 'template', definition })
}

/**
 * A prompt.
 *
 * @example
 * ```ts
 * import { prompt } from 'patchbay'
 *
 * export default prompt({
 *   arguments: [{ name: 'name', required: true }],
 *   get: ({ name }) => `Say something kind to ${name}.`,
 * })
 * ```
 */
export function prompt<const A extends readonly PromptArgumentDefinition[] = readonly [], L = Shared>(
  definition: Unnamed<PromptDefinition<A, L>>,
): Defined {
  return defined({ kind: 'prompt', definition })
}

/**
 * What `patchbay.config.ts` exports: what applies to all scripts, and what the server is composed of.
 *
 * @example
 * ```ts
 * import { config } from 'patchbay'
 *
 * export default config({ name: 'my-server', version: '1.0.0', instructions: 'Ask before you delete.' })
 * ```
 */
export function config<L = unknown>(definition: Configuration<L>): Defined {
  return defined({ kind: 'config', definition })
}

function defined(written: Written): Defined {
  return new Defined(written)
}
