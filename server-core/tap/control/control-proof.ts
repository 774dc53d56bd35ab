import { randomBytes, timingSafeEqual } from 'node:crypto'

/** What both ends of the channel know from the file with the token. */
export type ControlProof = {
  /** A tap sends it first. */
  readonly ofTap: string
  /** The app sends it with what starts a command. A tap never sends it. */
  readonly ofApp: string
}

export function createProof(): ControlProof {
  return { ofTap: randomBytes(32).toString('hex'), ofApp: randomBytes(32).toString('hex') }
}

/** The text of the file. */
export function proofText({ ofTap, ofApp }: ControlProof): string {
  return `${ofTap}\n${ofApp}\n`
}

/** Reads the text of the file; undefined if it is not complete. */
export function readProof(text: string): ControlProof | undefined {
  const [ofTap = '', ofApp = ''] = text.trim().split('\n')
  return ofTap === '' || ofApp === '' ? undefined : { ofTap, ofApp }
}

/** Compares two secrets in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
