import { messageOf } from '../../protocol/error-message.ts'
import type { Frame } from '../../ports/tap.ts'
import type { OpenRecording, RecordingChoice } from './open-recorder.ts'

/** The recorder is loaded so long after the start, unless an answer came before. */
const LOAD_MS = 100
/** Bytes that may wait for the recorder. */
const MOST_WAITING = 4 * 1024 * 1024

const NOTHING: OpenRecording = {
  tap: { record: () => undefined },
  place: undefined,
  close: () => Promise.resolve(),
}

/**
 * What a tap records. It takes frames from the start on, and loads what writes them once the first answer has passed, so
 * that loading delays nobody. It never fails: what cannot be recorded is reported, and traffic goes on.
 */
export class TapRecording {
  readonly #choice: RecordingChoice
  readonly #report: (text: string) => void
  #waiting: Frame[] = []
  #waitingBytes = 0
  #opening: Promise<OpenRecording | undefined> | undefined
  #recording: OpenRecording | undefined
  readonly #timer: NodeJS.Timeout

  /** `report` gets what goes wrong, in words. */
  constructor(choice: RecordingChoice, report: (text: string) => void) {
    this.#choice = choice
    this.#report = report
    if (choice.place.type === 'nowhere') this.#recording = NOTHING
    this.#timer = setTimeout(() => this.begin(), LOAD_MS)
    this.#timer.unref()
  }

  record(frame: Frame): void {
    if (this.#recording !== undefined) {
      this.#recording.tap.record(frame)
      return
    }
    this.#waiting.push(frame)
    this.#waitingBytes += frame.bytes.byteLength
    if (this.#waitingBytes > MOST_WAITING) this.begin()
  }

  /** Opens the recording, if it is not open yet. */
  begin(): void {
    if (this.#recording !== NOTHING) this.#opening ??= this.#open()
  }

  /** Writes everything and closes the recording. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.begin()
    const recording = await this.#opening
    await recording?.close()
  }

  async #open(): Promise<OpenRecording | undefined> {
    try {
      const { openRecording } = await import('./open-recorder.ts')
      const recording = await openRecording(this.#choice, this.#report)
      this.#recording = recording
      for (const frame of this.#waiting) recording.tap.record(frame)
      return recording
    } catch (error) {
      this.#report(`nothing is recorded: ${messageOf(error)}`)
      this.#recording = NOTHING
      return undefined
    } finally {
      this.#waiting = []
      this.#waitingBytes = 0
    }
  }
}
