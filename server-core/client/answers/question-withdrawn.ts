const WORDS = {
  server: 'the server took the question back',
  connection: 'the connection ended',
  call: 'the call that asks was given up',
} as const

/** Why nobody waits for the answer to a question any more: the reason of its signal. */
export class QuestionWithdrawn extends Error {
  override readonly name = 'QuestionWithdrawn'
  /** The server took it back, the connection ended, or the call was given up that it belongs to. */
  readonly by: 'server' | 'connection' | 'call'
  /** What the server gave as its reason. */
  readonly words?: string

  constructor(by: QuestionWithdrawn['by'], words?: string) {
    const reason = words === undefined ? '' : `: ${words}`
    super(`${WORDS[by]}${reason}`)
    this.by = by
    if (words !== undefined) this.words = words
  }
}
