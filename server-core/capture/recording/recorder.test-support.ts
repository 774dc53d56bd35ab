import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Frame } from '../../ports/tap.ts'
import type { RecordingSink } from './batch-writer.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'
import { readRecording } from './recording-reader.ts'
import type { RecordedFrame, RecordingEntry } from './recording-format.ts'

export const SOURCE = { serverName: 'notes', side: 'server', transport: 'http' } as const

/** A folder of its own for recordings, and what was reported about them. */
export class Desk {
  readonly told: string[] = []
  #folder = ''

  async open(): Promise<void> {
    this.#folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-recording-'))
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  at(name: string): string {
    return path.join(this.#folder, name)
  }

  recorder(
    name: string,
    options: Partial<RecorderOptions> = {},
    through?: (sink: RecordingSink) => RecordingSink,
  ): Promise<Recorder> {
    return Recorder.create(this.at(name), { onTrouble: (text) => this.told.push(text), ...options }, through)
  }
}

export async function entriesOf(file: string): Promise<RecordingEntry[]> {
  return Array.fromAsync(readRecording(file))
}

export async function framesOf(file: string): Promise<RecordedFrame[]> {
  return (await entriesOf(file)).filter((entry) => entry.type === 'frame')
}

/** The real file behind a gate: writes wait, fail or go through in part, as told. */
export class Gate implements RecordingSink {
  /** How many bytes of a write go through at most. */
  most = Infinity
  /** What every write fails with. */
  error: Error | undefined
  #held: PromiseWithResolvers<void> | undefined
  readonly #sink: RecordingSink

  constructor(sink: RecordingSink) {
    this.#sink = sink
  }

  hold(): void {
    this.#held ??= Promise.withResolvers()
  }

  release(): void {
    this.#held?.resolve()
    this.#held = undefined
  }

  async write(pieces: readonly Uint8Array[], position: number): Promise<number> {
    await this.#held?.promise
    if (this.error !== undefined) throw this.error
    return this.#sink.write(this.#part(pieces), position)
  }

  writeNow(pieces: readonly Uint8Array[], position: number): number {
    if (this.error !== undefined) throw this.error
    return this.#sink.writeNow(this.#part(pieces), position)
  }

  close(): Promise<void> {
    return this.#sink.close()
  }

  #part(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    return this.most === Infinity ? pieces : pieces.slice(0, 1).map((piece) => piece.subarray(0, this.most))
  }
}

/** A message with a value. */
export const message = (value: unknown): Frame => ({
  kind: 'message',
  direction: 'received',
  bytes: Buffer.from(JSON.stringify(value)),
})

/** Bytes in chunks of that length. */
export async function* cut(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) {
    yield await Promise.resolve(bytes.subarray(at, at + length))
  }
}

/** The ids of all messages. */
export function idsOf(entries: readonly RecordingEntry[]): number[] {
  return entries.flatMap((entry) =>
    entry.type === 'frame' ? [(JSON.parse(entry.bytes.toString()) as { id: number }).id] : [],
  )
}
