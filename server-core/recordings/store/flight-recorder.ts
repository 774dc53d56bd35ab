import type { TransportKind } from '../../protocol/transport-kind.ts'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Masks } from '../../capture/recording/frame-lines.ts'
import { Recorder } from '../../capture/recording/recorder.ts'
import type { TapSource } from '../../capture/row.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { SerialQueue } from '../../protocol/serial-queue.ts'
import { recordLines, type Frame, type MessageLines, type Tap } from '../../ports/tap.ts'
import { indexSegment } from '../recording-parts.ts'
import { readManifest, writeManifest, type RecordingManifest } from './recording-manifest.ts'
import { RecordingStore, type RetentionLimits } from './recording-store.ts'
import type { RedactionRule } from './recording-settings.ts'
import { withRules } from './redaction-rules.ts'

/** Bytes of one recording that may wait for the disk. */
const BUFFER_BYTES = 8 * 1024 * 1024
/** Indexes are made and old recordings deleted once nothing was recorded for so long. */
const QUIET_MS = 1_000
/** More segments than these are indexed while frames come. */
const MOST_WAITING = 16
const TIDY_MS = 60 * 60 * 1_000

export type RecordingSettings = RetentionLimits & {
  readonly on: boolean
  /** Ids of servers that are not recorded. */
  readonly except: readonly string[]
  readonly redact: readonly RedactionRule[]
}

export type FlightRecorderOptions = {
  /** The folder of all recordings. */
  readonly folder: string
  readonly settings: RecordingSettings
  /** The secrets that do not reach the files. */
  readonly redaction: Masks
  /** Reports what goes wrong, once for each recording until it is over. */
  readonly onTrouble: (text: string) => void
}

/** Records every connection to a recording of its own, within the limits. It never fails and nothing waits for it. */
export class FlightRecorder {
  readonly store: RecordingStore
  readonly #options: FlightRecorderOptions
  #settings: RecordingSettings
  #masks: Masks
  readonly #open = new Map<Recorder, RecordingManifest>()
  readonly #closing = new Set<Promise<void>>()
  readonly #unindexed: string[] = []
  #recorded = 0
  #seenRecorded = 0
  #timer: NodeJS.Timeout | undefined
  readonly #upkeep = new SerialQueue()
  readonly #tidyTimer: NodeJS.Timeout
  #isClosed = false

  constructor(options: FlightRecorderOptions) {
    this.#options = options
    this.#settings = options.settings
    this.#masks = withRules(options.redaction, options.settings.redact)
    this.store = new RecordingStore(options.folder)
    void this.#upkeep.run(() => this.#closeOld())
    this.#tidyTimer = setInterval(() => this.#later(), TIDY_MS).unref()
    this.#later()
  }

  get settings(): RecordingSettings {
    return this.#settings
  }

  /** Whether the settings let the traffic of a server be recorded. */
  isRecorded(serverId: string): boolean {
    return this.#settings.on && !this.#settings.except.includes(serverId)
  }

  /** Masks what may not be stored: secrets, and what the rules of the settings name. */
  get masks(): Masks {
    return this.#masks
  }

  /**
   * Other settings from now on: recordings that are open are ended, and connections that are still to be recorded begin
   * new ones. Throws a `RangeError` for a rule that cannot be used; then nothing changed.
   */
  configure(settings: RecordingSettings): void {
    this.#masks = withRules(this.#options.redaction, settings.redact)
    this.#settings = settings
    for (const recorder of this.#open.keys()) this.#end(recorder)
    this.#later()
  }

  /** A tap for a connection. A recording begins with its first frame, and with the first one after its end. */
  tap(source: TapSource, transport: TransportKind): Tap {
    let recorder: Recorder | undefined
    let tap: Tap | undefined
    const opened = (): Tap | undefined => {
      if (recorder !== undefined && this.#open.has(recorder)) return tap
      if (this.#isClosed || !this.isRecorded(source.serverId)) return undefined
      recorder = this.#begin(source)
      tap = recorder.tap({ serverName: source.serverName, side: source.side, transport })
      return tap
    }
    const part = (current: () => Tap | undefined): Tap => ({
      record: (frame: Frame) => {
        this.#recorded += 1
        current()?.record(frame)
        const isOver = frame.kind === 'lifecycle' && frame.event === 'closed' && source.side === 'client'
        if (isOver && recorder !== undefined) this.#end(recorder)
      },
      lines: (lines: MessageLines) => {
        this.#recorded += lines.ends.length
        const to = current()
        if (to !== undefined) recordLines(to, lines)
      },
      fork: (kind) => {
        let parent: Tap | undefined
        let fork: Tap | undefined
        return part(() => {
          const now = opened()
          if (now !== parent) {
            parent = now
            fork = now?.fork?.(kind)
          }
          return fork
        })
      },
    })
    return part(opened)
  }

  /** Ends all recordings and waits for the disk. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#tidyTimer)
    for (const recorder of this.#open.keys()) this.#end(recorder)
    await Promise.all(this.#closing)
    await this.#upkeep.idle()
  }

  /** Writes what waits before it returns, for a process that ends by itself. */
  flushNow(): void {
    for (const recorder of this.#open.keys()) {
      try {
        recorder.flushNow()
      } catch (error) {
        this.#options.onTrouble(`${recorder.path}: ${messageOf(error)}`)
      }
    }
  }

  #begin({ serverId, serverName, side }: TapSource): Recorder {
    const startedAt = Date.now()
    const stamp = new Date(startedAt).toISOString().replaceAll(':', '-').replace('Z', '')
    const name = serverName
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
    const folder = path.join(this.#options.folder, `${stamp}-${name}-${randomBytes(3).toString('hex')}`)
    const recorder = Recorder.segmented(folder, {
      redaction: this.#masks,
      bufferBytes: BUFFER_BYTES,
      onTrouble: this.#options.onTrouble,
      onSealed: (file) => {
        this.#unindexed.push(file)
        this.#later()
      },
    })
    const manifest = { version: 1, serverId, serverName, side, startedAt, pid: process.pid } as const
    this.#open.set(recorder, manifest)
    writeManifest(folder, manifest).catch((error: unknown) => {
      this.#options.onTrouble(`${folder} cannot be written: ${messageOf(error)}`)
    })
    return recorder
  }

  #end(recorder: Recorder): void {
    const manifest = this.#open.get(recorder)
    if (manifest === undefined) return
    this.#open.delete(recorder)
    const closing = recorder
      .close()
      .then(() => this.#noteClosed(recorder.path, manifest))
      .catch((error: unknown) => {
        this.#options.onTrouble(`${recorder.path} cannot be closed: ${messageOf(error)}`)
      })
      .finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  async #noteClosed(folder: string, manifest: RecordingManifest): Promise<void> {
    // The user may have named it meanwhile.
    await writeManifest(folder, { ...((await readManifest(folder)) ?? manifest), closed: true })
  }

  /** Makes indexes and deletes old recordings when the traffic pauses. */
  #later(): void {
    if (this.#isClosed || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const isQuiet = this.#recorded === this.#seenRecorded
      this.#seenRecorded = this.#recorded
      if (isQuiet || this.#unindexed.length > MOST_WAITING) void this.#upkeep.run(() => this.#tidy())
      else this.#later()
    }, QUIET_MS).unref()
  }

  /** Marks as closed what a process that crashed left open. */
  async #closeOld(): Promise<void> {
    try {
      await this.store.closeAll()
    } catch (error) {
      this.#options.onTrouble(`${this.#options.folder} cannot be read: ${messageOf(error)}`)
    }
  }

  async #tidy(): Promise<void> {
    try {
      // It is made again when the recording is read, if this fails.
      for (const file of this.#unindexed.splice(0))
        if (!this.#isClosed) await indexSegment(file).catch(() => 0)
      await this.store.tidy(this.#settings)
    } catch (error) {
      this.#options.onTrouble(`old recordings cannot be deleted: ${messageOf(error)}`)
    }
  }
}
