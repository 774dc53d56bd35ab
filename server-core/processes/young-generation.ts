import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Of both semispaces together. With less, the objects of hundreds of calls at once are promoted. */
const ENOUGH_BYTES = 16 * 2 ** 20

const HAS_SIZE = /semi[-_]space/

/**
 * Lets V8's young generation grow to 16 MiB in this process and no further, for one that serves until it is stopped.
 *
 * V8 doubles it for each burst of surviving objects, up to 128 MiB on a machine with much memory, and hardly ever
 * shrinks it, although the objects of a call are garbage once it is answered: a server that 2,000 clients came to
 * used 50 MB more, and a late collection took long. Collecting a small one often costs no more, as it stays in the
 * processor's cache.
 *
 * Does nothing where Node was given a size (`--max-semi-space-size`), or in Electron, which gets its flags at the start
 * (`hostFlags`).
 */
export function keepYoungGenerationSmall(): void {
  if (hasSize(process.env, process.execArgv) || 'electron' in process.versions) return
  let grows = true
  // Only a collection lets it grow, by one step, or shrink, where little was going on: then it may grow again.
  new PerformanceObserver(() => {
    const mayGrow = youngBytes() < ENOUGH_BYTES
    if (mayGrow === grows) return
    grows = mayGrow
    setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`)
  }).observe({ entryTypes: ['gc'] })
}

/** Whether the user gave Node a size of the young generation, by NODE_OPTIONS or by a flag. */
export function hasSize(env: NodeJS.ProcessEnv, flags: readonly string[]): boolean {
  return HAS_SIZE.test([env['NODE_OPTIONS'] ?? '', ...flags].join(' '))
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
}
