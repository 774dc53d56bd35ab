import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { InvocationFacts } from '../registry/invocation.ts'

/** What is known of the calls of one entry. */
export type CallCount = {
  calls: number
  failures: number
  lastCaller?: { readonly name: string; readonly at: number }
}

/** How often entries were called, and by whom last. */
export class CallCounts {
  readonly #counts = new Map<string, CallCount>()

  of(key: string): Readonly<CallCount> {
    return this.#counts.get(key) ?? { calls: 0, failures: 0 }
  }

  called(key: string, caller: string): void {
    const count = this.#counts.get(key) ?? { calls: 0, failures: 0 }
    this.#counts.set(key, count)
    count.calls += 1
    count.lastCaller = { name: caller, at: Date.now() }
  }

  failed(key: string): void {
    const count = this.#counts.get(key)
    if (count !== undefined) count.failures += 1
  }
}

/** Who the client says it is, and in parentheses whom its token names, for people to read. */
export function callerOf({ clientInfo, principal }: InvocationFacts): string {
  const info: JsonObject = isJsonObject(clientInfo) ? clientInfo : {}
  const named = [info['title'], info['name']].find((said) => typeof said === 'string' && said !== '')
  const subject = principal?.subject
  if (typeof named !== 'string') return subject ?? 'a client without a name'
  return subject === undefined ? named : `${named} (${subject})`
}
