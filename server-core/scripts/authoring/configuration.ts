import type { CompositionInput } from '../../sources/config-data.ts'
import type { ErrorMapper, Guard, Interceptor } from '../../registry/middleware.ts'
import type { Lifespan } from '../../registry/lifespan.ts'

/** Bounds of each Worker that runs a script; what is missing is as `docs/limits.md` says. */
export type WorkerLimits = {
  /** Megabytes of its heap. */
  readonly heapMegabytes?: number
  /** Megabytes of all its memory, buffers included. */
  readonly memoryMegabytes?: number
  /** Milliseconds that a script may take to be loaded, and its lifespan to start. */
  readonly startMs?: number
}

/** What `patchbay.config.ts` may say. `L` is what its lifespan gives to handlers as `ctx.lifespan`. */
export type Configuration<L = unknown> = CompositionInput & {
  /** How the server calls itself to its clients. */
  readonly name?: string
  readonly version?: string
  readonly title?: string
  readonly instructions?: string
  /** Started once in each Worker, by its first call; cleaned up when that ends. */
  readonly lifespan?: Lifespan<L>
  /** Asked before every handler of every script, where the handler runs. */
  readonly guards?: readonly Guard<L>[]
  /** Wrap every handler of every script; the first is the outermost. */
  readonly interceptors?: readonly Interceptor<L>[]
  /** Make something else of what handlers throw; asked in order until one does. */
  readonly mapErrors?: readonly ErrorMapper<L>[]
  /** Facts of your own for guards and interceptors: `ctx.metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Names of environment variables that scripts may see, beside the few that all processes need. */
  readonly environment?: readonly string[]
  readonly limits?: WorkerLimits
}
