const CHUNK_BYTES = 256 * 1024
/** Our own bytes are copied up to this length, so that they are written in one piece with their neighbours. */
const LONGEST_COPY = 32 * 1024
const SPARE_CHUNKS = 4
/** UTF-8 takes so many bytes at most for a unit of a string. */
const WIDEST = 3

/** Pieces in their order. The chunks that some of them lie in are used again later. */
export type Batch = { pieces: Uint8Array[]; bytes: number; readonly chunks: Buffer[] }

/** What waits to be written: texts and short bytes one behind the other in chunks, long bytes as they are. */
export class WriteQueue {
  #chunk: Buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  /** Where the piece begins that is written now, and where it ends so far. */
  #start = 0
  #used = 0
  #pieces: Uint8Array[] = []
  #chunks: Buffer[] = []
  readonly #spare: Buffer[] = []
  #sealedBytes = 0
  #takenBytes = 0

  /** Bytes that were added since the start. */
  get position(): number {
    return this.#takenBytes + this.bytes
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#sealedBytes + this.#used - this.#start
  }

  text(text: string): void {
    const most = text.length * WIDEST
    if (most > CHUNK_BYTES) {
      this.#add(Buffer.from(text))
      return
    }
    if (this.#used + most > CHUNK_BYTES) this.#nextChunk()
    this.#used += this.#chunk.write(text, this.#used)
  }

  /** Appends bytes that nobody changes later. */
  copy(bytes: Uint8Array): void {
    const { byteLength } = bytes
    if (byteLength > LONGEST_COPY) {
      this.#add(bytes)
      return
    }
    if (this.#used + byteLength > CHUNK_BYTES) this.#nextChunk()
    this.#chunk.set(bytes, this.#used)
    this.#used += byteLength
  }

  /** Removes and returns all pending bytes; undefined if there are none. */
  take(): Batch | undefined {
    this.#seal()
    if (this.#pieces.length === 0) return undefined
    this.#chunks.push(this.#chunk)
    const batch = { pieces: this.#pieces, bytes: this.#sealedBytes, chunks: this.#chunks }
    this.#takenBytes += batch.bytes
    this.#chunk = this.#freshChunk()
    this.#start = 0
    this.#used = 0
    this.#pieces = []
    this.#chunks = []
    this.#sealedBytes = 0
    return batch
  }

  /** A batch was written: its chunks are free. */
  release({ chunks }: Batch): void {
    for (const chunk of chunks) if (this.#spare.length < SPARE_CHUNKS) this.#spare.push(chunk)
  }

  #add(bytes: Uint8Array): void {
    this.#seal()
    this.#pieces.push(bytes)
    this.#sealedBytes += bytes.byteLength
  }

  #seal(): void {
    if (this.#used === this.#start) return
    this.#pieces.push(this.#chunk.subarray(this.#start, this.#used))
    this.#sealedBytes += this.#used - this.#start
    this.#start = this.#used
  }

  #nextChunk(): void {
    this.#seal()
    this.#chunks.push(this.#chunk)
    this.#chunk = this.#freshChunk()
    this.#start = 0
    this.#used = 0
  }

  #freshChunk(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
  }
}
