/** Why nobody waits for the answer to a question any more: the reason of its signal. */
export class QuestionWithdrawn extends Error {
  override readonly name = 'QuestionWithdrawn'
  /** The server took it back, or the connection ended. */
  readonly by: 'server' | 'connection'
  /** What the server gave as its reason. */
  readonly words?: string

  constructor(by: 'server' | 'connection', words?: string) {
    const reason = words === undefined ? '' : `: ${words}`
    super(by === 'server' ? `the server took the question back${reason}` : 'the connection ended')
    this.by = by
    if (words !== undefined) this.words = words
  }
}
