import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Masks } from '../../capture/recording/frame-lines.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { SerialQueue } from '../../protocol/serial-queue.ts'
import { replaceFile } from '../../workspace/atomic-file.ts'
import type { OnSetAside } from '../../workspace/document-file.ts'
import { makeFolder } from '../../workspace/make-folder.ts'
import { systemCode } from '../../workspace/storage-error.ts'
import type { EndedCall, RunningCall } from '../contract/inspect.ts'
import { callLine, readCallLine, type CallLine } from './call-line.ts'
import { maskedCall, maskedOutcome } from './mask-stored.ts'

/** Calls that are kept of one tab. */
const CALLS = 50
const MEBIBYTE = 1024 * 1024
const FILE_BYTES = 16 * MEBIBYTE
/** A longer result is only in the recording of its connection. */
const CALL_BYTES = 8 * MEBIBYTE
const ALL_BYTES = 128 * MEBIBYTE
/** Only its owner reads and writes such a file. */
const PRIVATE = 0o600

export type CallFilesOptions = {
  readonly folder: string
  /** What may not reach a file. */
  readonly masks: () => Masks
  readonly onSetAside: Exclude<OnSetAside, 'leave'>
  /** Reports that calls cannot be stored. */
  readonly onTrouble: (detail: string) => void
}

/** The calls of a tab in earlier runs, oldest first. */
export type EarlierCalls = {
  readonly ended: readonly EndedCall[]
  /** Patchbay ended before they did. */
  readonly interrupted: readonly RunningCall[]
}

type OpenFile = { readonly place: string; bytes: number; calls: number }

/** The calls of tabs on the disk: a file for each tab, which its calls are appended to. Nothing waits for it. */
export class CallFiles {
  readonly #options: CallFilesOptions
  readonly #queue = new SerialQueue()
  readonly #open = new Map<string, { readonly file: OpenFile; readonly earlier: EarlierCalls }>()

  constructor(options: CallFilesOptions) {
    this.#options = options
    void this.#queue.run(() => this.#attempt(() => this.#tidy()))
  }

  /** What earlier runs stored of a tab; empty if it cannot be read, which is reported. */
  async earlier(tab: string): Promise<EarlierCalls> {
    return (await this.#queue.run(() => this.#attempt(() => this.#opened(tab))))?.earlier ?? NOTHING
  }

  /** Notes that a call of a tab was sent. */
  started(tab: string, call: RunningCall): void {
    this.#append(tab, () => callLine({ type: 'started', call: maskedCall(call, this.#options.masks()) }))
  }

  /** Notes what became of a call of a tab. */
  ended(tab: string, call: EndedCall): void {
    this.#append(tab, () => endedLine(call, this.#options.masks()))
  }

  /** Resolves when everything that was noted is on the disk. */
  close(): Promise<void> {
    return this.#queue.idle()
  }

  #append(tab: string, line: () => string): void {
    void this.#queue.run(() =>
      this.#attempt(async () => {
        const { file } = await this.#opened(tab)
        const text = line()
        if (file.bytes === 0) file.bytes = await append(file.place, callLine({ type: 'head', tab }))
        file.bytes += await append(file.place, text)
        file.calls += 1
        // Each call has two lines.
        if (file.calls > 4 * CALLS || file.bytes > FILE_BYTES) await this.#shorten(tab, file)
      }),
    )
  }

  async #opened(tab: string): Promise<{ readonly file: OpenFile; readonly earlier: EarlierCalls }> {
    const known = this.#open.get(tab)
    if (known !== undefined) return known
    await makeFolder(this.#options.folder, 0o700)
    const name = createHash('sha256').update(tab).digest('hex').slice(0, 32)
    const file: OpenFile = { place: path.join(this.#options.folder, `${name}.ndjson`), bytes: 0, calls: 0 }
    const text = await textOf(file.place)
    const { lines, problem, isTorn } = readLines(text)
    if (problem !== undefined) await this.#setAside(file.place, problem, lines.length > 0)
    const earlier = callsOf(lines)
    if (problem !== undefined || isTorn) await this.#write(tab, file, earlier)
    else {
      file.bytes = Buffer.byteLength(text)
      file.calls = lines.length
    }
    const opened = { file, earlier }
    this.#open.set(tab, opened)
    return opened
  }

  async #setAside(place: string, reason: string, restored: boolean): Promise<void> {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
    const keptAs = `${place}.set-aside-${stamp}-${randomBytes(3).toString('hex')}`
    await rename(place, keptAs)
    this.#options.onSetAside({ file: place, keptAs, reason, restored })
  }

  /** Leaves the newest calls in a file. */
  async #shorten(tab: string, file: OpenFile): Promise<void> {
    await this.#write(tab, file, callsOf(readLines(await textOf(file.place)).lines))
    await this.#tidy()
  }

  async #write(tab: string, file: OpenFile, { ended, interrupted }: EarlierCalls): Promise<void> {
    const lines: Exclude<CallLine, { readonly type: 'head' }>[] = [
      ...ended.map((call) => ({ type: 'ended', call }) as const),
      ...interrupted.map((call) => ({ type: 'started', call }) as const),
    ]
    const head = callLine({ type: 'head', tab })
    const kept: string[] = []
    let bytes = Buffer.byteLength(head)
    for (const line of lines.sort((a, b) => b.call.at - a.call.at).slice(0, CALLS)) {
      const text = callLine(line)
      bytes += Buffer.byteLength(text)
      // Half a file is left for what comes.
      if (kept.length > 0 && bytes > FILE_BYTES / 2) break
      kept.push(text)
    }
    const text = head + kept.reverse().join('')
    await replaceFile(file.place, text, PRIVATE)
    file.bytes = Buffer.byteLength(text)
    file.calls = kept.length
  }

  /** Deletes the files that were written longest ago until the rest fits. */
  async #tidy(): Promise<void> {
    const { folder } = this.#options
    const names = await readdir(folder).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return []
      throw error
    })
    const files = await Promise.all(
      names.map(async (name) => {
        const place = path.join(folder, name)
        const { size, mtimeMs } = await stat(place)
        return { place, size, mtimeMs }
      }),
    )
    let total = 0
    for (const { place, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      total += size
      if (total <= ALL_BYTES) continue
      await rm(place, { force: true })
      for (const [tab, { file }] of this.#open) if (file.place === place) this.#open.delete(tab)
    }
  }

  async #attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#options.onTrouble(`${this.#options.folder}: ${messageOf(error)}`)
      return undefined
    }
  }
}

const NOTHING: EarlierCalls = { ended: [], interrupted: [] }

function endedLine(call: EndedCall, masks: Masks): string {
  // Of the timeline of this run.
  const { exchangeId: _exchangeId, ...outcome } = maskedOutcome(call.outcome, masks)
  const masked = maskedCall({ ...call, outcome }, masks)
  const line = callLine({ type: 'ended', call: masked })
  if (line.length <= CALL_BYTES) return line
  const { callId, at, argumentsText } = masked
  const fits = argumentsText.length <= CALL_BYTES / 2
  const { durationMs, revision } = outcome
  const message = `${fits ? 'The result' : 'The call'} is too large to be stored beyond a run (${line.length} characters). Its frames are in the recording of the connection.`
  return callLine({
    type: 'ended',
    call: {
      callId,
      at,
      argumentsText: fits ? argumentsText : '{}',
      outcome: { type: 'failure', code: 'not-stored', message, durationMs, revision },
    },
  })
}

/** Returns how many bytes were written. */
async function append(place: string, text: string): Promise<number> {
  await appendFile(place, text, { mode: PRIVATE })
  return Buffer.byteLength(text)
}

async function textOf(place: string): Promise<string> {
  try {
    return await readFile(place, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
}

type ReadLines = {
  readonly lines: readonly CallLine[]
  /** What is wrong with the first line that cannot be read. */
  readonly problem: string | undefined
  /** The process ended while it wrote the last line, which is left out. */
  readonly isTorn: boolean
}

function readLines(text: string): ReadLines {
  const lines: CallLine[] = []
  let problem: string | undefined
  const texts = text.split('\n')
  const isTorn = texts.pop() !== ''
  for (const [place, each] of texts.entries()) {
    const line = readCallLine(each)
    if (line.ok && (line.value.type === 'head') === (place === 0)) lines.push(line.value)
    else problem ??= line.ok ? 'it does not begin with its format' : line.reason
    // Nothing is known of lines of another format.
    if (place === 0 && problem !== undefined) return { lines: [], problem, isTorn }
  }
  return { lines, problem, isTorn }
}

function callsOf(lines: readonly CallLine[]): EarlierCalls {
  const ended = new Map<string, EndedCall>()
  const open = new Map<string, RunningCall>()
  for (const line of lines) {
    if (line.type === 'started') open.set(line.call.callId, line.call)
    if (line.type !== 'ended') continue
    ended.set(line.call.callId, line.call)
    open.delete(line.call.callId)
  }
  return { ended: [...ended.values()], interrupted: [...open.values()] }
}
