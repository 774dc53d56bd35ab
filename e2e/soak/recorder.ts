import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { RecordingSink } from '../../server-core/capture/recording/batch-writer.ts'
import { Recorder } from '../../server-core/capture/recording/recorder.ts'
import { readRecording } from '../../server-core/capture/recording/recording-reader.ts'
import type { RecordedFrame } from '../../server-core/capture/recording/recording-format.ts'
import type { Frame, Tap } from '../../server-core/ports/tap.ts'
import { Random } from '../random.ts'

/** Frames that come in one turn of the event loop, at most, and where the disk is slow. */
const BURST = 4_000
const SLOW_BURST = 100
/** Whoever fills the disk's cache waits for it, as a server does that is not asked faster than it answers. */
const MOST_WAITING = 16 * 1024 * 1024
/** One frame in so many goes to the slow disk, where a part of them is left out. */
const SLOW_SHARE = 20
const SLOW_BUFFER = 16 * 1024
const SLOWEST_MS = 4
const MOST_FINDINGS = 10

export type SoakedRecorder = {
  readonly findings: string[]
  readonly megabytes: number
  /** Frames in a second, from the first to the last that is on the disk. */
  readonly perSecond: number
  /** Frames that the slow disk could not take, all of them told in the file. */
  readonly shed: number
}

/** Records frames of all kinds and reads them again: each as it was, in its order, none missing without a mark. */
export async function soakRecorder(random: Random, frames: number): Promise<SoakedRecorder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-soak-recorder-'))
  try {
    const fast = await soakOne(path.join(folder, 'fast.ndjson'), random.below(2 ** 31), frames)
    const slow = await soakOne(path.join(folder, 'slow.ndjson'), random.below(2 ** 31), frames / SLOW_SHARE, {
      bufferBytes: SLOW_BUFFER,
      through: (sink) => slowed(sink, random),
    })
    const findings = [
      ...fast.findings,
      ...(fast.shed === 0 ? [] : [`${fast.shed} frames were left out though nobody was slow`]),
      ...slow.findings.map((finding) => `slow disk: ${finding}`),
      ...(slow.shed > 0 ? [] : ['slow disk: nothing was left out, so that nothing was tried']),
    ]
    return { findings, megabytes: fast.megabytes, perSecond: fast.perSecond, shed: slow.shed }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Disk = { readonly bufferBytes: number; readonly through: (sink: RecordingSink) => RecordingSink }

async function soakOne(file: string, seed: number, count: number, disk?: Disk): Promise<SoakedRecorder> {
  const told: string[] = []
  const options = { onTrouble: (text: string) => told.push(text), ...disk }
  const recorder = await Recorder.create(file, options, disk?.through)
  const startedAt = performance.now()
  await record(recorder, seed, count, disk === undefined)
  const { shed } = await recorder.close()
  const perSecond = (count / (performance.now() - startedAt)) * 1_000
  const { size } = await stat(file)
  const findings = await check(file, seed, count, shed)
  if (shed === 0) findings.push(...told)
  return { findings, megabytes: size / 1_048_576, perSecond, shed }
}

async function record(recorder: Recorder, seed: number, count: number, waits: boolean): Promise<void> {
  const http = recorder.tap({ serverName: 'soak', side: 'server', transport: 'http' })
  const taps: Tap[] = [http, http.fork?.('websocket') ?? http, http.fork?.('sse') ?? http]
  const frames = new Frames(seed)
  const pace = new Random(seed)
  for (let number = 0; number < count;) {
    for (
      const end = Math.min(count, number + 1 + pace.below(waits ? BURST : SLOW_BURST));
      number < end;
      number += 1
    ) {
      taps[number % taps.length]?.record(frames.next(number))
    }
    if (waits && recorder.waitingBytes > MOST_WAITING) await recorder.flushed()
    else await turn()
  }
}

/** Reads everything, makes the same frames again, and compares. */
async function check(file: string, seed: number, count: number, shed: number): Promise<string[]> {
  const findings: string[] = []
  const frames = new Frames(seed)
  let number = 0
  let missing = 0
  for await (const entry of readRecording(file)) {
    if (findings.length >= MOST_FINDINGS) break
    if (entry.type === 'gap') {
      missing += entry.frames
      for (const end = number + entry.frames; number < end; number += 1) frames.next(number)
    } else if (entry.type === 'frame') {
      const wrong = difference(frames.next(number), entry, number)
      if (wrong !== undefined) findings.push(`frame ${number}: ${wrong}`)
      number += 1
    } else if (entry.type !== 'end' || !entry.closed || entry.tornBytes > 0)
      findings.push('the recording has no end')
  }
  if (number !== count) findings.push(`${number} of ${count} frames are listed`)
  if (missing !== shed) findings.push(`${shed} frames were left out, ${missing} are listed as missing`)
  return findings
}

const TEXTS = Array.from({ length: 97 }, (_, length) => 'ä'.repeat(length))
const TRANSPORTS = ['http', 'websocket', 'sse']

function difference(given: Frame, got: RecordedFrame, number: number): string | undefined {
  if (!got.bytes.equals(given.bytes)) return `is ${got.bytes.toString().slice(0, 80)}`
  const kind = given.kind
  if (got.kind !== kind) return `is of the kind ${got.kind}, not ${given.kind}`
  if ((got.direction === 'sent') !== (given.direction === 'received')) return 'goes the other way'
  if (got.connection.transport !== TRANSPORTS[number % TRANSPORTS.length]) return 'is of another connection'
  const http = 'http' in given ? given.http : undefined
  if (got.http?.exchange !== http?.exchange) return `is of exchange ${String(got.http?.exchange)}`
  if (got.http?.headers['mcp-session-id'] !== http?.headers['mcp-session-id']) return 'has another session'
  return undefined
}

/** The same frames for the same seed: messages of one line and of many, invalid bytes, heads. */
class Frames {
  readonly #random: Random
  readonly #noise: readonly Buffer[]

  constructor(seed: number) {
    this.#random = new Random(seed)
    this.#noise = Array.from({ length: 64 }, () => this.#random.bytes(this.#random.below(300)))
  }

  next(number: number): Frame {
    const dice = this.#random.next()
    const direction = number % 2 === 0 ? 'received' : 'sent'
    if (dice < 0.9) {
      const space = dice < 0.05 ? '\n  ' : ''
      const text = TEXTS[number % TEXTS.length] ?? ''
      const bytes = Buffer.from(
        `{"jsonrpc":"2.0",${space}"id":${number},"method":"tools/call","params":{"text":"${text}"}}`,
      )
      return dice < 0.5
        ? { kind: 'message', direction, bytes }
        : { kind: 'message', direction, bytes, http: facts(number) }
    }
    if (dice < 0.97) {
      const noise = this.#noise[this.#random.below(this.#noise.length)] ?? Buffer.alloc(0)
      return {
        kind: 'invalid',
        direction,
        bytes: Buffer.concat([Buffer.from(`${number}:`), noise]),
        reason: 'soak',
      }
    }
    return { kind: 'http', direction, bytes: Buffer.alloc(0), http: facts(number) }
  }
}

function facts(number: number) {
  const headers = {
    host: 'localhost',
    accept: 'text/event-stream',
    'mcp-session-id': `session-${number % 50}`,
  }
  return { exchange: number, method: 'POST', url: '/mcp', headers }
}

function slowed(sink: RecordingSink, random: Random): RecordingSink {
  return {
    write: async (pieces, position) => {
      await pause(random.below(SLOWEST_MS))
      // A part of it, as systems do that are short of room.
      const [first] = pieces
      return first === undefined || random.probability(0.5)
        ? sink.write(pieces, position)
        : sink.write([first.subarray(0, 1 + random.below(first.byteLength))], position)
    },
    writeNow: (pieces, position) => sink.writeNow(pieces, position),
    close: () => sink.close(),
  }
}
