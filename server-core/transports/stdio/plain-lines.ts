import { isAscii } from 'node:buffer'
import type { Limits } from '../../protocol/limits.ts'

/** Messages that stand one after another: their values, and where each ends. */
export type ParsedLines = { readonly values: readonly unknown[]; readonly ends: readonly number[] }

const CARRIAGE_RETURN = 0x0d

/**
 * Reads whole lines (transports: stdio) of which none has anything to look at twice: ASCII, short enough to be within
 * every bound whatever is in them, each the JSON of one message. All others are left to who reads line by line.
 */
export class PlainLines {
  readonly #text: string
  readonly #longest: number

  private constructor(text: string, limits: Bounds) {
    this.#text = text
    // JSON of n bytes is nested at most n / 2 deep and has at most n members.
    this.#longest = Math.min(limits.messageBytes, 2 * limits.depth, limits.members, limits.keys)
  }

  /** Undefined for bytes that are not all ASCII. */
  static of(chunk: Buffer, limits: Bounds): PlainLines | undefined {
    return isAscii(chunk) ? new PlainLines(chunk.toString('latin1'), limits) : undefined
  }

  /** At most so many lines from a place on; fewer, or none, where the next one is not plain or has not ended. */
  parse(start: number, most: number): ParsedLines {
    const text = this.#text
    const values: unknown[] = []
    const ends: number[] = []
    let next = start
    try {
      while (ends.length < most) {
        const end = text.indexOf('\n', next)
        if (end === -1 || end - next > this.#longest || text.charCodeAt(end - 1) === CARRIAGE_RETURN) break
        values.push(JSON.parse(text.slice(next, end)))
        ends.push(end)
        next = end + 1
      }
    } catch {
      // Who reads it by itself reports what is wrong with it.
    }
    return { values, ends }
  }
}

type Bounds = Pick<Limits, 'messageBytes' | 'depth' | 'members' | 'keys'>
