import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects all garbage of this process, also what a WeakRef that was made in this turn refers to. */
export async function collectGarbage(): Promise<void> {
  // An object that is freed may have been the last owner of another.
  for (let round = 0; round < 3; round += 1) {
    await setImmediate()
    // New contexts alone have the function.
    runInNewContext('gc()')
  }
}
