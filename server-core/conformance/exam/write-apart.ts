import type { Writable } from 'node:stream'

const PAUSE_MS = 20

/** Writes pieces so that the reader sees them apart; the first is written at once. */
export async function writeApart(stream: Writable, pieces: readonly Uint8Array[]): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    if (stream.destroyed || stream.writableEnded) return
    stream.write(piece)
  }
}
