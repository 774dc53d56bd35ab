import { setFlagsFromString } from 'node:v8'
import { hasSize, keepYoungGenerationSmall } from './young-generation.ts'

/**
 * V8 lets the old generation grow to four times its surviving objects before it collects it. The rows of a full log
 * are many and short-lived, so the host would use three times the memory of the log.
 */
const GROWTH = '--heap-growing-percent=50'
/** Megabytes of one of the two semispaces. */
const YOUNG = '--max-semi-space-size=8'

/**
 * Makes V8 collect garbage in this process before it takes much more memory than the surviving objects. For a host that
 * runs in Node; a size of the young generation that the user gave Node stays.
 */
export function keepHostMemorySmall(): void {
  keepYoungGenerationSmall()
  setFlagsFromString(GROWTH)
}

/**
 * The same for a host that Electron starts: its flags.
 *
 * @param env the environment of the host
 */
export function hostFlags(env: NodeJS.ProcessEnv): readonly string[] {
  return [`--js-flags=${hasSize(env, []) ? GROWTH : `${GROWTH} ${YOUNG}`}`]
}
