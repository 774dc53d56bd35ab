import { bundleScripts, type Bundle, type Bundled, type BundlePlace, type BundleRequest } from './bundle.ts'
import { ScriptError } from './script-error.ts'
import { messageOf } from '../protocol/error-message.ts'

/** Bundles made in one pass: the first of many are looked into while others are made. */
const MOST = 25

type Waiting = { readonly request: BundleRequest; readonly made: PromiseWithResolvers<Bundle> }

/** Bundles scripts of one workspace: those that are asked for while it works are made in one pass after that. */
export class Bundler {
  readonly #place: BundlePlace
  readonly #waiting: Waiting[] = []
  #isAtWork = false

  constructor(place: BundlePlace) {
    this.#place = place
  }

  /** Makes a bundle of what is on the disk now or later. Rejects with a `ScriptError`. */
  bundle(request: BundleRequest): Promise<Bundle> {
    const made = Promise.withResolvers<Bundle>()
    this.#waiting.push({ request, made })
    if (!this.#isAtWork) void this.#work()
    return made.promise
  }

  async #work(): Promise<void> {
    this.#isAtWork = true
    // What is asked for in the same moment is made together.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0, MOST)
      const results = await this.#make(taken.map(({ request }) => request))
      for (const [index, { made }] of taken.entries()) {
        const result = results[index]
        if (result === undefined || result instanceof Error) made.reject(result)
        else made.resolve(result)
      }
    }
    this.#isAtWork = false
  }

  async #make(requests: readonly BundleRequest[]): Promise<readonly (Bundled | Error)[]> {
    try {
      return await bundleScripts(this.#place, requests)
    } catch (cause) {
      const reason = messageOf(cause)
      const message = `Scripts cannot be bundled by esbuild: ${reason}`
      return requests.map(() => new ScriptError('unavailable', message, { cause }))
    }
  }
}
