import type { JsonObject } from '../protocol/json.ts'
import type { HandlerContext } from './context.ts'
import type { Described } from './definitions.ts'
import type { Completer } from './resource-definitions.ts'

export type PromptArgumentDefinition = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

type ArgumentsOf<A extends readonly PromptArgumentDefinition[]> = {
  readonly [P in A[number] as P extends { readonly required: true } ? P['name'] : never]: string
} & {
  readonly [P in A[number] as P extends { readonly required: true } ? never : P['name']]?: string
}

/** A turn of a prompt: text or one content block, said by the user unless `role` says otherwise. */
export type PromptMessage = {
  readonly role?: 'user' | 'assistant'
  readonly content: string | JsonObject | readonly (string | JsonObject)[]
}
export type PromptReturn =
  | string
  | PromptMessage
  | readonly (string | PromptMessage)[]
  | {
      readonly description?: string
      readonly messages: readonly (string | PromptMessage)[]
      readonly _meta?: JsonObject
    }

/** A prompt (specification: Prompts). */
export type PromptDefinition<
  A extends readonly PromptArgumentDefinition[] = readonly PromptArgumentDefinition[],
  L = unknown,
> = Described<L> & {
  readonly name: string
  readonly arguments?: A
  /** Suggestions by the name of the argument. */
  readonly complete?: Readonly<Record<string, Completer<L>>>
  readonly reentrant?: boolean
  get(args: ArgumentsOf<A>, ctx: HandlerContext<L>): PromptReturn | Promise<PromptReturn>
}
