import { z } from 'zod'

const LONGEST_MS = 3_600_000
const MOST_BYTES = 1024 * 1024 * 1024

/** What the network between two sides is like, in one direction. What is missing is as it is. */
const directionConditionsSchema = z.strictObject({
  latencyMs: z.int().min(0).max(LONGEST_MS).optional(),
  /** Up to so many milliseconds more or less, drawn from the seed. */
  jitterMs: z.int().min(0).max(LONGEST_MS).optional(),
  bytesPerSecond: z.int().min(1).max(MOST_BYTES).optional(),
  /** Bytes come in pieces of at most so many. */
  sliceBytes: z.int().min(1).max(MOST_BYTES).optional(),
  /** So many milliseconds between the pieces. */
  sliceMs: z.int().min(0).max(LONGEST_MS).optional(),
  /** After so many milliseconds nothing passes any more, and nothing is closed. */
  timeoutMs: z.int().min(0).max(LONGEST_MS).optional(),
  /** After so many milliseconds the connection breaks. */
  resetMs: z.int().min(0).max(LONGEST_MS).optional(),
  /** After so many bytes the connection is closed. */
  limitBytes: z.int().min(0).max(MOST_BYTES).optional(),
  /** The end is passed on so many milliseconds later. */
  slowCloseMs: z.int().min(0).max(LONGEST_MS).optional(),
})
export type DirectionConditions = z.infer<typeof directionConditionsSchema>

export const conditionsSchema = z.strictObject({
  toServer: directionConditionsSchema.optional(),
  toClient: directionConditionsSchema.optional(),
})
