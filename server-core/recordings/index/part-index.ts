import type { FrameTable } from './frame-table.ts'

/** A method, or a method with what it is about; frames refer to it by its place in the list. */
export type IndexedMethod = {
  readonly method: string
  readonly target?: string | undefined
  /** Requests and notifications. */
  count: number
  errors: number
}

/** A line that later lines refer to: of a connection or an HTTP head. */
export type Definition = { readonly offset: number; readonly length: number; readonly key: string }

/** A mark, a comment, a gap, or a line that cannot be read. */
export type OtherLine = {
  readonly type: 'mark' | 'comment' | 'gap' | 'damage'
  readonly offset: number
  readonly length: number
  readonly at: number
}

/** What an index says about its part as a whole; it is read without the frames. */
export type PartSummary = {
  /** Where the part begins in its file, and how long it is, in whole lines. */
  readonly base: number
  readonly bytes: number
  readonly frames: number
  /** Times of the first and the last frame, in microseconds since the start of the recording. */
  readonly firstAt: number
  readonly lastAt: number
  readonly errors: number
  /** The recording was closed in it, or goes on in the next one. */
  readonly isSealed: boolean
  readonly methods: readonly IndexedMethod[]
  readonly definitions: readonly Definition[]
  readonly others: readonly OtherLine[]
}

/** The index of a part of a recording: a segment, or so much of a long file. Offsets count from its base. */
export type PartIndex = { readonly summary: PartSummary; readonly table: FrameTable }
