/** A check that failed. It has no stack: what it says of the server is its message, and no line of a file is at fault. */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure'

  constructor(message: string) {
    super(message)
    this.stack = message
  }
}
