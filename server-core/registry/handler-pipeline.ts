import { isJsonObject } from '../protocol/json.ts'
import { createContext, type HandlerContext } from './context.ts'
import { ForbiddenError, LifespanError, RegistryError } from './errors.ts'
import { ArgumentsError, isFault, markMapped } from './handler-errors.ts'
import type { ErrorMapper, Guard, HandlerCall, Middleware, Interceptor } from './middleware.ts'
import type { Invocation } from './invocation.ts'
import type { LifespanRunner } from './lifespan.ts'
import { reportError, type Report } from './report.ts'

type Arguments = Readonly<Record<string, unknown>>

/** What a handler does in the end, and how its arguments are made ready before that. */
export type Handler = {
  /** Throws an `ArgumentsError` or a `ProtocolError` for arguments that cannot be taken. */
  readonly parse?: ((args: Arguments) => Arguments | Promise<Arguments>) | undefined
  /** Error mappers are asked about arguments that do not fit. */
  readonly mapsArguments?: boolean
  readonly handle: (args: Arguments, ctx: HandlerContext<never>) => unknown
}

const NO_METADATA: Readonly<Record<string, unknown>> = Object.freeze({})

/**
 * The middleware of one definition: its own guards, interceptors and error mapper inside the
 * registry's, the metadata of both, the lifespan. Made once, at registration; `bare` ones cost a call nothing.
 */
export class HandlerPipeline {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly bare: boolean
  readonly #report: Report
  readonly #lifespan: LifespanRunner | undefined
  readonly #guards: readonly Guard<never>[]
  readonly #interceptors: readonly Interceptor<never>[]
  readonly #mappers: readonly ErrorMapper<never>[]

  constructor(
    outer: Middleware<never>,
    own: Middleware<never>,
    lifespan: LifespanRunner | undefined,
    report: Report,
  ) {
    this.#report = report
    this.#lifespan = lifespan
    this.#guards = [...(outer.guards ?? []), ...(own.guards ?? [])]
    this.#interceptors = [...(outer.interceptors ?? []), ...(own.interceptors ?? [])]
    this.#mappers = [own.mapError, outer.mapError].filter((mapper) => mapper !== undefined)
    this.metadata =
      outer.metadata === undefined && own.metadata === undefined
        ? NO_METADATA
        : Object.freeze({ ...outer.metadata, ...own.metadata })
    this.bare =
      lifespan === undefined && this.#guards.length + this.#interceptors.length + this.#mappers.length === 0
  }

  /** Reports an error if it is a fault of the handler's code. */
  failed(error: unknown, kind: HandlerCall['kind'], name: string, invocation: Invocation): void {
    if (isFault(error, invocation)) reportError(this.#report, error, { kind, name })
  }

  /**
   * Runs a handler with its middleware: the lifespan, guards, `parse`, interceptors, the handler, error
   * mappers. Gives what came out. Rejects with a `ForbiddenError`, or what was thrown (a `LifespanError` too) and not
   * mapped.
   */
  async run(call: HandlerCall, invocation: Invocation, handler: Handler): Promise<unknown> {
    if (this.#lifespan === undefined) return this.#run(call, invocation, handler, undefined)
    try {
      return await this.#lifespan.hold((value) => this.#run(call, invocation, handler, value))
    } catch (error) {
      if (!(error instanceof LifespanError)) throw error
      // Why it could not start is for authors to know, and maybe for nobody else.
      return this.#mapped(error, call, handler, createContext(invocation, this.metadata, undefined))
    }
  }

  async #run(call: HandlerCall, invocation: Invocation, handler: Handler, living: unknown): Promise<unknown> {
    const ctx = createContext(invocation, this.metadata, living)
    try {
      for (const guard of this.#guards) {
        const verdict = await guard.allows(call, ctx)
        if (verdict !== true) {
          throw new ForbiddenError(guard.name, typeof verdict === 'string' ? verdict : undefined)
        }
      }
      const args = handler.parse === undefined ? call.arguments : await handler.parse(call.arguments)
      return await this.#step(0, args === call.arguments ? call : { ...call, arguments: args }, handler, ctx)
    } catch (error) {
      return this.#mapped(error, call, handler, ctx)
    }
  }

  async #step(at: number, call: HandlerCall, handler: Handler, ctx: HandlerContext<never>): Promise<unknown> {
    const interceptor = this.#interceptors[at]
    if (interceptor === undefined) return await handler.handle(call.arguments, ctx)
    return await interceptor(
      call,
      (replaced) =>
        this.#step(at + 1, replaced === undefined ? call : { ...call, arguments: replaced }, handler, ctx),
      ctx,
    )
  }

  async #mapped(
    error: unknown,
    call: HandlerCall,
    { mapsArguments = false }: Handler,
    ctx: HandlerContext<never>,
  ): Promise<unknown> {
    if (!isOurs(error) || (mapsArguments && error instanceof ArgumentsError)) {
      for (const mapper of this.#mappers) {
        const mapped: unknown = await mapper(error, call, ctx)
        if (mapped instanceof Error) throw markMapped(mapped)
        if (mapped !== undefined) return mapped
      }
    }
    throw error
  }
}

/** Whether a definition leaves all of this to its registry. */
export function addsNothing({ guards, interceptors, mapError, metadata }: Middleware<never>): boolean {
  return (
    guards === undefined && interceptors === undefined && mapError === undefined && metadata === undefined
  )
}

/** Throws a `RegistryError` for invalid middleware; `what` names whose it is. */
export function validateMiddleware(what: string, handling: Middleware<never>): void {
  // Scripts that no compiler has seen may hold anything.
  const { guards = [], interceptors = [], mapError, metadata }: Unchecked = handling
  for (const [place, guard] of guards.entries()) {
    const named = isJsonObject(guard) && typeof guard['name'] === 'string' && guard['name'] !== ''
    if (!named || typeof guard['allows'] !== 'function') {
      throw invalid(what, `guard ${place + 1} must be { name, allows }, with a name to tell in refusals`)
    }
  }
  for (const [place, interceptor] of interceptors.entries()) {
    if (typeof interceptor !== 'function') throw invalid(what, `interceptor ${place + 1} must be a function`)
  }
  if (mapError !== undefined && typeof mapError !== 'function') {
    throw invalid(what, 'mapError must be a function')
  }
  if (metadata !== undefined && !isJsonObject(metadata)) throw invalid(what, 'metadata must be an object')
}

type Unchecked = {
  readonly guards?: readonly unknown[]
  readonly interceptors?: readonly unknown[]
  readonly mapError?: unknown
  readonly metadata?: unknown
}

function invalid(what: string, problem: string): RegistryError {
  return new RegistryError('invalid-definition', `Of the ${what}, ${problem}.`)
}

/** Errors of this layer say what they say; no author maps them, unless a tool asks for it. */
function isOurs(error: unknown): boolean {
  return error instanceof ForbiddenError || error instanceof ArgumentsError
}
