import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { Recorder } from '../../capture/recording/recorder.ts'
import type { Masks } from '../../capture/recording/frame-lines.ts'
import { bothTaps } from '../../capture/recording/both-taps.ts'
import { Redaction } from '../../capture/redaction.ts'
import type { Tap } from '../../ports/tap.ts'
import { defaultProfile, profileFiles, type ProfileFiles } from '../../profile/profile-files.ts'
import { settingsFile } from '../../profile/settings.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { namesSecret } from '../../protocol/secret-names.ts'
import type { TransportKind } from '../../protocol/transport-kind.ts'
import { OtlpExporter } from '../../recordings/otlp/otlp-exporter.ts'
import { writeManifest } from '../../recordings/store/recording-manifest.ts'
import { recordingSettingsSchema } from '../../recordings/store/recording-settings.ts'
import { RecordingStore } from '../../recordings/store/recording-store.ts'
import { withRules } from '../../recordings/store/redaction-rules.ts'

/** Where a tap records to, and whose traffic it is. */
export type RecordingChoice = {
  /** `profile`: a recording of its own in the profile, unless recording is switched off there. */
  readonly place:
    | { readonly type: 'profile' }
    | { readonly type: 'file'; readonly file: string }
    | { readonly type: 'nowhere' }
  /** The data folder; the user's if none is named. */
  readonly profile?: string
  /** The server's name, for lists. */
  readonly name: string
  /** The client's name, if it is known. */
  readonly client?: string
  readonly transport: TransportKind
}

/** A recording that is written. `place` is its file or folder; undefined if nothing is recorded. */
export type OpenRecording = {
  readonly tap: Tap
  readonly place: string | undefined
  close(): Promise<void>
}

/**
 * Opens the recording of a tap. Secrets in the environment, whose variables are named so, and what the rules of the profile
 * name do not reach the disk.
 *
 * @throws RecordingError `unwritable` for a file that cannot be made
 */
export async function openRecording(
  choice: RecordingChoice,
  report: (text: string) => void,
): Promise<OpenRecording> {
  const { place, name, transport, client } = choice
  if (place.type === 'nowhere') return NOTHING
  const files = profileFiles(choice.profile ?? defaultProfile())
  const settings = await storedSettings(files, report)
  const options = { redaction: masksFor(settings.redact, report), onTrouble: report }
  const exporter = new OtlpExporter({ mask: (text) => options.redaction.text(text), onTrouble: report })
  try {
    exporter.configure(settings.otlp)
  } catch (error) {
    report(messageOf(error))
  }
  const source = {
    serverName: client === undefined ? name : `${client} to ${name}`,
    side: 'client',
    transport,
  } as const
  if (place.type === 'file') {
    const recorder = await Recorder.create(place.file, options)
    return {
      tap: bothTaps(recorder.tap(source), exporter.tap(source, transport)),
      place: recorder.path,
      close: async () => {
        await Promise.all([recorder.close(), exporter.close()])
      },
    }
  }
  if (!settings.on) return NOTHING
  const startedAt = Date.now()
  const folder = path.join(files.recordings, folderName(name, startedAt))
  const store = new RecordingStore(files.recordings)
  const tidy = (): void => {
    store.tidy(settings).catch((error: unknown) => {
      report(`old recordings cannot be deleted: ${messageOf(error)}`)
    })
  }
  const recorder = Recorder.segmented(folder, { ...options, onSealed: tidy })
  const { serverName, side } = source
  const manifest = {
    version: 1,
    serverId: `tap:${serverName}`,
    serverName,
    side,
    startedAt,
    pid: process.pid,
  } as const
  await writeManifest(folder, { ...manifest, tap: true })
  return {
    tap: bothTaps(recorder.tap(source), exporter.tap(source, transport)),
    place: folder,
    close: async () => {
      await Promise.all([recorder.close(), exporter.close()])
      await writeManifest(folder, { ...manifest, tap: true, closed: true })
    },
  }
}

const NOTHING: OpenRecording = {
  tap: { record: () => undefined },
  place: undefined,
  close: () => Promise.resolve(),
}

type Settings = ReturnType<typeof recordingSettingsSchema.parse>

/** What the profile says about recordings. A file that cannot be used is left, and the usual settings hold. */
async function storedSettings({ settings }: ProfileFiles, report: (text: string) => void): Promise<Settings> {
  try {
    const { recording } = await settingsFile(settings, 'leave').peek()
    return recordingSettingsSchema.parse(recording ?? {})
  } catch (error) {
    report(
      `the settings of recordings in ${settings} cannot be used, so the usual ones hold: ${messageOf(error)}`,
    )
    return recordingSettingsSchema.parse({})
  }
}

function masksFor(rules: Settings['redact'], report: (text: string) => void): Masks {
  const redaction = new Redaction()
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && namesSecret(name)) redaction.register(value)
  try {
    return withRules(redaction, rules)
  } catch (error) {
    report(`the rules that mask recordings cannot be used: ${messageOf(error)}`)
    return redaction
  }
}

function folderName(name: string, startedAt: number): string {
  const stamp = new Date(startedAt).toISOString().replaceAll(':', '-').replace('Z', '')
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${stamp}-${plain}-${randomBytes(3).toString('hex')}`
}
