import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Redaction } from '../../capture/redaction.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { defaultProfile, profileFiles } from '../../profile/profile-files.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import { exportCurl } from '../../recordings/formats/curl-list.ts'
import { exportHar } from '../../recordings/formats/har-export.ts'
import { exportOtlp } from '../../recordings/formats/otlp-export.ts'
import { writeRecordingPage } from '../../recordings/page/recording-page.ts'
import { RecordedTestError } from '../../recorded-tests/recorded-test-error.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { rowsOfFrames } from '../../recordings/rows-of-frames.ts'
import { joinSegments } from '../../recordings/store/join-segments.ts'
import { addImported } from '../../recordings/import/add-imported.ts'
import { RecordingStore } from '../../recordings/store/recording-store.ts'
import { verifyRecording } from '../../recordings/verify-recording.ts'
import { IMPORT_MOST_BYTES } from '../../host/contract/recordings.ts'
import { ExitCode, StartError } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeStderr, writeText } from '../output/output.ts'
import { plural } from '../../protocol/plural.ts'
import { table } from '../output/table.ts'
import { recordingPlace } from '../../recordings/store/recording-place.ts'
import type { RecordingsCommand } from './recordings-flags.ts'

type Action<Name extends string> = Extract<RecordingsCommand, { readonly action: Name }>

/** `patchbay recordings` and `patchbay show`. Rejects with a `StartError` for a recording that cannot be read. */
export async function recordings(command: RecordingsCommand): Promise<ExitCode> {
  const store = new RecordingStore(profileFiles(command.profile ?? defaultProfile()).recordings)
  try {
    if (command.type === 'show') return await showPage(command, store)
    switch (command.action) {
      case 'list':
        return await list(command, store)
      case 'show':
        return await show(command, store)
      case 'export':
        return await exportTo(command, store)
      case 'keep': {
        const file = await store.keep(command.id, command.name, command.into ?? process.cwd())
        await writeText(file ?? '')
        return ExitCode.ok
      }
      case 'import':
        return await importAll(command, store)
      case 'delete':
        for (const id of command.ids) await store.delete(id)
        return ExitCode.ok
      case 'test': {
        const { writeRecordedTest } = await import('./recorded-test-file.ts')
        return await writeRecordedTest(command, store)
      }
      case 'verify':
        return await verify(command, store)
    }
  } catch (error) {
    if (error instanceof RecordingError || error instanceof RecordedTestError)
      throw new StartError(error.message, { cause: error })
    throw error
  }
}

/** Writes the page of a recording and, for a person who named no file, opens it in the browser. */
async function showPage(
  { place, out, json }: Extract<RecordingsCommand, { type: 'show' }>,
  store: RecordingStore,
): Promise<ExitCode> {
  const found = await recordingPlace(place, store)
  const title = path.basename(place)
  const file = out ?? path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-show-')), `${title}.html`)
  await writeRecordingPage(found, file, { title })
  await writeText(file)
  if (out !== undefined || !isForPerson(json)) return ExitCode.ok
  const { openInBrowser } = await import('../../host/open-in-browser.ts')
  await openInBrowser(pathToFileURL(path.resolve(file)).href).catch(() => {
    writeStderr('patchbay: no browser could be opened; open the file above')
  })
  return ExitCode.ok
}

async function list({ json }: Action<'list'>, store: RecordingStore): Promise<ExitCode> {
  const all = await store.list()
  if (!isForPerson(json)) await writeJson(all)
  else if (all.length === 0) await writeText(`There are no recordings in ${store.folder}.`)
  else {
    const rows = all.map(({ id, serverName, side, startedAt, bytes, name, isOpen }) => [
      id,
      serverName,
      side,
      new Date(startedAt).toISOString(),
      `${(bytes / 1_000).toFixed(0)} kB`,
      name === undefined ? (isOpen ? 'open' : '') : `kept as ${name}`,
    ])
    await writeText(table([['Id', 'Server', 'Side', 'Started', 'Size', 'State'], ...rows]))
  }
  return ExitCode.ok
}

async function show(
  { place, text, method, errors, limit, json }: Action<'show'>,
  store: RecordingStore,
): Promise<ExitCode> {
  const view = await RecordingView.open(await recordingPlace(place, store))
  const filter = { text, ...(method !== undefined && { methods: [method] }), ...(errors && { errors }) }
  const found = await view.find(filter, limit)
  const rows = rowsOfFrames(
    await view.read(
      found.map(({ number }) => number),
      { pairs: true },
    ),
  )
  const { startedAt, endedAt, frames, bytes, isClosed, problems } = view
  if (!isForPerson(json)) {
    const notes = await view.notes()
    await writeJson({
      startedAt,
      endedAt,
      frames,
      bytes,
      isClosed,
      problems,
      methods: view.methods(),
      notes,
      rows,
    })
    return ExitCode.ok
  }
  for (const problem of problems) writeStderr(`patchbay: ${problem}`)
  const lines = rows.map((row) => [
    new Date(row.startedAt).toISOString().slice(11, 23),
    row.direction === 'sent' ? '→' : '←',
    row.method,
    visibleLine(row.label, 60),
    row.outcome === 'none' ? '' : row.outcome,
    row.endedAt === undefined || row.kind !== 'request'
      ? ''
      : `${(row.endedAt - row.startedAt).toFixed(1)} ms`,
    row.errorMessage ?? '',
  ])
  const end = isClosed ? '' : ', without an end'
  await writeText(
    `${plural(frames, 'frame')}, ${plural(view.errors, 'error')}, from ${new Date(startedAt).toISOString()}${end}\n${table(lines)}`,
  )
  return ExitCode.ok
}

async function exportTo({ place, format, out }: Action<'export'>, store: RecordingStore): Promise<ExitCode> {
  const found = await recordingPlace(place, store)
  switch (format) {
    case 'html':
      await writeRecordingPage(found, out, { title: path.basename(place) })
      break
    case 'ndjson':
      await writeText(await joinSegments(found, out))
      return ExitCode.ok
    case 'har':
      for (const note of await exportHar(await RecordingView.open(found), out))
        writeStderr(`patchbay: ${note}`)
      break
    case 'otlp':
      for (const note of await exportOtlp(await RecordingView.open(found), out))
        writeStderr(`patchbay: ${note}`)
      break
    case 'curl':
      for (const note of await exportCurl(await RecordingView.open(found), out))
        writeStderr(`patchbay: ${note}`)
      break
  }
  await writeText(path.resolve(out))
  return ExitCode.ok
}

async function importAll({ files, json }: Action<'import'>, store: RecordingStore): Promise<ExitCode> {
  const results = []
  for (const file of files) {
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined && found.size > IMPORT_MOST_BYTES)
      throw new StartError(
        `${file} has ${found.size} bytes, more than the ${IMPORT_MOST_BYTES} that are imported`,
      )
    const fileName = path.basename(file)
    const result = await addImported({
      source: file,
      fileName,
      folder: store.folder,
      redaction: new Redaction(),
    })
    results.push({ file, ...result })
    if (!isForPerson(json)) continue
    for (const problem of result.problems) writeStderr(`patchbay: ${fileName}: ${visibleLine(problem, 300)}`)
    await writeText(result.id)
  }
  if (!isForPerson(json)) await writeJson(results)
  return ExitCode.ok
}

async function verify({ places, repair, json }: Action<'verify'>, store: RecordingStore): Promise<ExitCode> {
  let isSound = true
  const results = []
  for (const place of places) {
    const result = await verifyRecording(await recordingPlace(place, store), repair)
    isSound &&= result.problems.length === 0
    results.push({ place, ...result })
    if (!isForPerson(json)) continue
    const state = result.problems.length === 0 ? 'complete' : result.problems.join('; ')
    await writeText(`${place}: ${plural(result.frames, 'frame')}; ${state}`)
  }
  if (!isForPerson(json)) await writeJson(results)
  return isSound ? ExitCode.ok : ExitCode.regression
}
