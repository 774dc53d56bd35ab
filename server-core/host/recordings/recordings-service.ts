import path from 'node:path'
import type { z } from 'zod'
import type { FrameView } from '../../capture/exchange.ts'
import { bothTaps } from '../../capture/recording/both-taps.ts'
import type { Redaction } from '../../capture/redaction.ts'
import type { TapSource } from '../../capture/row.ts'
import type { Tap } from '../../ports/tap.ts'
import type { TransportKind } from '../../protocol/transport-kind.ts'
import { OtlpExporter } from '../../recordings/otlp/otlp-exporter.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import type { SettingsDocument } from '../../profile/settings.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { earlierRows, type RecordedRow } from '../../recordings/store/earlier-rows.ts'
import { FlightRecorder } from '../../recordings/store/flight-recorder.ts'
import { recordingSettingsSchema } from '../../recordings/store/recording-settings.ts'
import type { StoredRecording } from '../../recordings/store/recording-store.ts'
import { viewRecorded } from '../../recordings/view-recorded.ts'
import type { TrafficLog } from '../../capture/traffic-log.ts'
import type { DocumentFile } from '../../workspace/document-file.ts'
import type {
  compareExchangesInputSchema,
  compareRecordingsInputSchema,
  ExchangeComparison,
  ExchangeFrames,
  ExportFormat,
  framesInputSchema,
  RecordingFacts,
  RecordingSettingsChange,
  RecordingSettingsData,
  RecordingsComparison,
  rowsInputSchema,
  testOfInputSchema,
} from '../contract/recordings.ts'
import { HostError } from '../host-error.ts'
import { addComment } from './add-comment.ts'
import { compareExchanges } from './compare-exchanges.ts'
import { compareRecordings } from './compare-recordings.ts'
import { exportRecording } from './export-recording.ts'
import { previewRedaction, type RedactionPreview } from './redaction-preview.ts'
import { RecordingImports } from './recording-imports.ts'
import { FactsOfRecordings } from './recording-facts.ts'

/** Recordings that stay open for the next question. */
const OPENED = 8

export type RecordingsServiceOptions = {
  readonly folder: string
  readonly settings: DocumentFile<SettingsDocument>
  readonly redaction: Redaction
  /** The folder of the workspace, which gets what is kept. */
  readonly workspace: () => string
  readonly onTrouble: (text: string) => void
  /** Reports that spans cannot be sent. */
  readonly onExportTrouble: (text: string) => void
}

type Opened = { readonly endedAt: number; readonly bytes: number; readonly view: Promise<RecordingView> }

/** The recordings of the profile: what is recorded, and what was. */
export class RecordingsService {
  readonly recorder: FlightRecorder
  readonly #options: RecordingsServiceOptions
  readonly #opened = new Map<string, Opened>()
  readonly #facts = new FactsOfRecordings()
  readonly imports: RecordingImports
  readonly #exporter: OtlpExporter
  #otlp: string

  private constructor(options: RecordingsServiceOptions, settings: RecordingSettingsData) {
    this.#options = options
    const { folder, redaction, onTrouble } = options
    this.recorder = new FlightRecorder({ folder, redaction, onTrouble, settings })
    this.#exporter = new OtlpExporter({
      mask: (text) => redaction.text(text),
      onTrouble: options.onExportTrouble,
    })
    this.#exporter.configure(settings.otlp)
    this.#otlp = settings.otlp
    this.imports = new RecordingImports(this.recorder.store.folder, redaction)
  }

  static async start(options: RecordingsServiceOptions): Promise<RecordingsService> {
    const { recording } = await options.settings.read()
    const stored = recordingSettingsSchema.safeParse(recording ?? {})
    if (stored.success) {
      try {
        return new RecordingsService(options, stored.data)
      } catch (error) {
        options.onTrouble(
          `The settings of recordings cannot be used: ${messageOf(error)}. The usual ones hold.`,
        )
      }
    }
    return new RecordingsService(options, recordingSettingsSchema.parse({}))
  }

  settings(): RecordingSettingsData {
    const { on, bytes, days, except, redact } = this.recorder.settings
    return { on, bytes, days, except: [...except], redact: [...redact], otlp: this.#otlp }
  }

  async saveSettings(change: RecordingSettingsChange): Promise<RecordingSettingsData> {
    const now = this.settings()
    const settings = {
      on: change.on ?? now.on,
      bytes: change.bytes ?? now.bytes,
      days: change.days ?? now.days,
      except: change.except ?? now.except,
      redact: change.redact ?? now.redact,
      otlp: change.otlp ?? now.otlp,
    }
    try {
      this.#exporter.configure(settings.otlp)
      this.recorder.configure(settings)
    } catch (error) {
      this.#exporter.configure(now.otlp)
      throw new HostError('INVALID_PARAMS', messageOf(error), { cause: error })
    }
    this.#otlp = settings.otlp
    await this.#options.settings.update((current) => ({ ...current, recording: settings }))
    return settings
  }

  /** Tries rules on a recording. @throws HostError for an unknown recording, or a rule that cannot be used */
  async previewRedaction(id: string, rules: RecordingSettingsData['redact']): Promise<RedactionPreview> {
    const view = await this.#view(await this.#get(id))
    try {
      return await previewRedaction(view, rules)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new HostError('INVALID_PARAMS', error.message, { cause: error })
    }
  }

  list(): Promise<StoredRecording[]> {
    return this.recorder.store.list()
  }

  /** What is known of all recordings by opening each. */
  async facts(): Promise<RecordingFacts[]> {
    return this.#facts.of(await this.list(), (recording) =>
      RecordingView.open(this.recorder.store.folderOf(recording.id)),
    )
  }

  async open(id: string) {
    const view = await this.#view(await this.#get(id))
    const { startedAt, endedAt, frames, bytes, errors, isClosed } = view
    return {
      startedAt,
      endedAt,
      frames,
      bytes,
      errors,
      isClosed,
      methods: view.methods(),
      notes: await view.notes(),
      problems: [...view.problems],
    }
  }

  async rows({ id, filter, limit, cursor }: z.output<typeof rowsInputSchema>): Promise<{
    rows: RecordedRow[]
    next?: Record<string, number>
  }> {
    // Imported recordings are of other programs.
    const ours = async () => (await this.list()).filter(({ imported }) => imported !== true)
    const recordings = id === undefined ? await ours() : [await this.#get(id)]
    const known = new Map(recordings.map((each) => [each.id, each]))
    const open = (each: string): Promise<RecordingView> => {
      const recording = known.get(each)
      if (recording === undefined) throw new HostError('NOT_FOUND', `There is no recording ${each}.`)
      return this.#view(recording)
    }
    const { rows, next } = await earlierRows(recordings, open, filter, limit, cursor)
    return { rows, ...(next !== undefined && { next: { ...next } }) }
  }

  async frames({ id, numbers, whole = false }: z.output<typeof framesInputSchema>): Promise<{
    frames: FrameView[]
    dropped: number
  }> {
    const view = await this.#view(await this.#get(id))
    const frames = (await view.read(numbers)).map((frame) =>
      viewRecorded(frame, whole, this.#options.redaction),
    )
    return { frames, dropped: numbers.length - frames.length }
  }

  async keep(id: string, name: string): Promise<{ file: string }> {
    await this.#get(id)
    const file = await this.recorder.store.keep(id, name, path.join(this.#options.workspace(), 'recordings'))
    if (file === undefined) throw new HostError('NOT_FOUND', `The recording ${id} could not be copied.`)
    return { file }
  }

  async rename(id: string, name: string): Promise<{ name: string }> {
    await this.#get(id)
    await this.recorder.store.keep(id, name)
    return { name }
  }

  async comment({ id, at, text }: { id: string; at: number; text: string }): Promise<{ at: number }> {
    const { isOpen } = await this.#get(id)
    if (isOpen) throw stillWritten()
    await addComment(this.recorder.store.folderOf(id), { at, text }, this.#options.redaction)
    this.#opened.delete(id)
    return { at }
  }

  async export(id: string, format: ExportFormat): Promise<{ file: string; notes: string[] }> {
    const recording = await this.#get(id)
    return exportRecording({
      place: this.recorder.store.folderOf(id),
      name: recording.name ?? id,
      into: path.join(this.#options.workspace(), 'recordings'),
      format,
      open: () => this.#view(recording),
    })
  }

  async compareExchanges(
    input: z.output<typeof compareExchangesInputSchema>,
    traffic: TrafficLog,
  ): Promise<ExchangeComparison> {
    return compareExchanges(input, (of) => this.#framesOf(of, traffic))
  }

  /** The text of a test file that sends the request of an exchange again and expects what was answered. */
  async testOf(input: z.output<typeof testOfInputSchema>, traffic: TrafficLog): Promise<{ text: string }> {
    const { testOfExchange } = await import('./exchange-test.ts')
    return testOfExchange(input, await this.#framesOf(input.exchange, traffic))
  }

  async saveTest(name: string, text: string): Promise<{ file: string }> {
    const { saveTest } = await import('./exchange-test.ts')
    return saveTest(path.join(this.#options.workspace(), 'tests'), name, text)
  }

  /** Whole frames of a recording, or of the timeline. */
  async #framesOf({ recording, frames }: ExchangeFrames, traffic: TrafficLog): Promise<readonly FrameView[]> {
    if (recording === undefined) return traffic.frames(frames, { whole: true }).frames
    return (await this.frames({ id: recording, numbers: frames, whole: true })).frames
  }

  async compareRecordings(
    input: z.output<typeof compareRecordingsInputSchema>,
  ): Promise<RecordingsComparison> {
    const view = async (id: string): Promise<RecordingView> => this.#view(await this.#get(id))
    return compareRecordings(await view(input.before), await view(input.after), input)
  }

  async delete(id: string): Promise<{ deleted: true }> {
    const { isOpen } = await this.#get(id)
    if (isOpen) throw stillWritten()
    this.#opened.delete(id)
    await this.recorder.store.delete(id)
    return { deleted: true }
  }

  /** A tap for a connection: what it sees is recorded, and sent to the collector if there is one. */
  tap(source: TapSource, transport: TransportKind): Tap {
    return bothTaps(this.recorder.tap(source, transport), this.#exporter.tap(source, transport))
  }

  async close(): Promise<void> {
    await Promise.all([this.recorder.close(), this.#exporter.close()])
  }

  async #get(id: string): Promise<StoredRecording> {
    try {
      return await this.recorder.store.get(id)
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error
      throw new HostError('NOT_FOUND', `There is no recording ${id}.`, { cause: error })
    }
  }

  /** One that grew is opened again. */
  async #view({ id, endedAt, bytes }: StoredRecording): Promise<RecordingView> {
    const known = this.#opened.get(id)
    if (known?.bytes === bytes && known.endedAt === endedAt) return known.view
    const view = RecordingView.open(this.recorder.store.folderOf(id))
    this.#opened.delete(id)
    this.#opened.set(id, { endedAt, bytes, view })
    for (const oldest of this.#opened.keys()) {
      if (this.#opened.size <= OPENED) break
      this.#opened.delete(oldest)
    }
    try {
      return await view
    } catch (error) {
      this.#opened.delete(id)
      throw new HostError('INVALID_PARAMS', messageOf(error), { cause: error })
    }
  }
}

function stillWritten(): HostError {
  return new HostError(
    'REFUSED',
    'The recording is still written. End its connection or turn recording off first.',
  )
}
