import { CodedError } from '../../protocol/coded-error.ts'

const WORDS = {
  server: 'the server took the question back',
  connection: 'the connection ended',
  call: 'the call that asks was given up',
} as const

/** Why nobody waits for the answer to a question any more: the reason of its signal. */
export class QuestionWithdrawn extends CodedError<keyof typeof WORDS> {
  override readonly name = 'QuestionWithdrawn'
  /** What the server gave as its reason. */
  readonly words?: string

  constructor(by: keyof typeof WORDS, words?: string) {
    const reason = words === undefined ? '' : `: ${words}`
    super(by, `${WORDS[by]}${reason}`)
    if (words !== undefined) this.words = words
  }
}
