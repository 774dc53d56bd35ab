/** More rows than one frame can start: a batch of a thousand results with a hundred questions each. */
const ROWS_OF_FRAME = 2 ** 17

/** The number of the `index`-th row that a frame starts. Numbers of rows rise with those of their frames. */
export function rowNumber(seq: number, index: number): number {
  return seq * ROWS_OF_FRAME + Math.min(index, ROWS_OF_FRAME - 1)
}

/** The number of the frame that started a row. */
export function firstSeq(number: number): number {
  return Math.floor(number / ROWS_OF_FRAME)
}

/** The id of a row in the window. */
export function rowId(number: number): string {
  const index = number % ROWS_OF_FRAME
  return index === 0 ? `x${firstSeq(number)}` : `x${firstSeq(number)}-${index}`
}
