import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { CapturedFrame } from '../../server-core/conformance/frames/captured-frame.ts'
import { FRAME_BYTES } from '../../server-core/conformance/frames/frame-log.ts'
import { parsedOf } from '../../server-core/conformance/frames/parsed-value.ts'
import type { RunOptions } from '../../server-core/conformance/run/run-options.ts'
import type { Cell } from '../../server-core/conformance/verdict.ts'

/** Bytes of frames of one cell that are kept at most. */
const CELL_BYTES = 64 * 1024 * 1024
/** Those of one revision. */
const CELLS_IN_MEMORY = 4

/** Collects the frames of a whole examination, by cell. */
export class TrafficRecorder {
  readonly #cells = new Map<string, { readonly frames: CapturedFrame[]; bytes: number }>()

  readonly onFrame: NonNullable<RunOptions['onFrame']> = (frame, { cell }) => {
    const key = trafficName(cell)
    const kept = this.#cells.get(key) ?? { frames: [], bytes: 0 }
    this.#cells.set(key, kept)
    kept.bytes += frame.bytes.length + FRAME_BYTES
    if (kept.bytes < CELL_BYTES) kept.frames.push(frame)
  }

  framesOf(cell: Cell): readonly CapturedFrame[] {
    return this.#cells.get(trafficName(cell))?.frames ?? []
  }
}

/** The recorded traffic of the correct pair: one file for each cell in a folder. */
export class Traffic {
  readonly #folder: string
  /** The cells that were read last: mutants of the same cells follow each other. */
  readonly #read = new Map<string, readonly CapturedFrame[]>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(cell: Cell, frames: readonly CapturedFrame[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const file = this.#file(trafficName(cell))
    // Values are parsed again: what nests deeply cannot be serialized.
    const stored = frames.map(({ value: _, ...frame }) => frame)
    await writeFile(`${file}.partial`, serialize(stored))
    await rename(`${file}.partial`, file)
  }

  /** The frames of a cell; undefined if they were not recorded. */
  async read(cell: Cell): Promise<readonly CapturedFrame[] | undefined> {
    const key = trafficName(cell)
    const known = this.#read.get(key)
    if (known !== undefined) return known
    const file = this.#file(key)
    if (!existsSync(file)) return undefined
    const stored = deserialize(await readFile(file)) as readonly CapturedFrame[]
    const frames = stored.map((frame): CapturedFrame => {
      const parsed = frame.kind === 'message' ? parsedOf(frame.bytes) : undefined
      return { ...frame, value: parsed?.ok === true ? parsed.value : undefined }
    })
    const [oldest] = this.#read.keys()
    if (oldest !== undefined && this.#read.size >= CELLS_IN_MEMORY) this.#read.delete(oldest)
    this.#read.set(key, frames)
    return frames
  }

  #file(key: string): string {
    return path.join(this.#folder, `${key}.frames`)
  }
}

function trafficName({ side, revision, transport }: Cell): string {
  return `${side}-${revision}-${transport}`
}
