/** A promise whose outcome can be looked at. */
export class SettledPromise<Value> {
  outcome: PromiseSettledResult<Value> | undefined
  /** Never rejects. */
  readonly settled: Promise<void>

  constructor(promise: Promise<Value>) {
    this.settled = promise.then(
      (value) => void (this.outcome = { status: 'fulfilled', value }),
      (reason: unknown) => void (this.outcome = { status: 'rejected', reason }),
    )
  }

  /** Resolves when it is settled, or after so many milliseconds. */
  async within(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds)
    await Promise.race([this.settled, promise])
    clearTimeout(timer)
  }
}
