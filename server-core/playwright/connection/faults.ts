import { FaultControl, type MadeFault } from '../../faults/fault-control.ts'
import { faultSettingsSchema } from '../../faults/fault-settings.ts'
import type { FaultOption, FaultRuleInput } from '../options.ts'
import { TestSetupError } from '../test-error.ts'

const DEFAULT_SEED = 0x5eed

/**
 * Faults in what the server under test sends, changed while connections are open.
 *
 * @example
 * ```ts
 * import { expect, test } from 'patchbay/test'
 *
 * test.use({ server: { command: 'node', args: ['server.js'] } })
 *
 * test('survives a slow server', async ({ mcp, faults }) => {
 *   faults.add({ kind: 'delay', ms: 200, where: { tool: 'add' } })
 *   expect(await mcp.callTool('add', { a: 1, b: 2 })).toSucceed()
 *   faults.clear()
 * })
 * ```
 */
export class Faults {
  readonly #control = new FaultControl()
  #rules: readonly FaultRuleInput[] = []
  #seed: number

  /** @param given faults from the start */
  constructor(given?: FaultOption) {
    this.#seed = given?.seed ?? DEFAULT_SEED
    if (given !== undefined) this.set(given)
  }

  /** What transports look at. */
  get control(): FaultControl {
    return this.#control
  }

  /** The faults that were injected, newest first. */
  get made(): readonly MadeFault[] {
    return this.#control.recent()
  }

  /** How often each rule injected its fault, by id. */
  get counts(): Readonly<Record<string, number>> {
    return this.#control.counts()
  }

  /** Adds rules to those that are set. */
  add(...rules: readonly FaultRuleInput[]): void {
    this.set({ rules: [...this.#rules, ...rules], seed: this.#seed })
  }

  /** Sets these rules in place of all others. Throws a `TestSetupError` for an invalid one. */
  set({ rules, seed = this.#seed }: FaultOption): void {
    const named = rules.map((rule, index) => ({ id: `${rule.kind} ${index + 1}`, ...rule }))
    const parsed = faultSettingsSchema.safeParse({ rules: named, seed })
    if (!parsed.success) {
      const told = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      throw new TestSetupError('option', `these faults are invalid: ${told.join('; ')}`)
    }
    this.#rules = rules
    this.#seed = seed
    this.#control.apply(parsed.data)
  }

  /** Removes all faults. What they held back is delivered. */
  clear(): void {
    this.set({ rules: [] })
  }
}
