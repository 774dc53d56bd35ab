import {
  IMPORT_MOST_BYTES,
  IMPORT_PART_BYTES,
  type ExportFormat,
} from '../../server-core/host/contract/recordings.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { copyText } from '../controls/clipboard.ts'
import { showFailure, showToast } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { bytesText } from '../text/measures.ts'
import { readRecordingsAgain, shownRecording } from './recordings-state.ts'
import { recordingsText } from './text.ts'

const text = recordingsText.actions

/** Characters of binary text that are made at once. */
const SLICE = 32_768

/** Writes a recording to a file of the workspace, and says where. Never rejects. */
export async function exportAs(id: string, format: ExportFormat): Promise<void> {
  try {
    const { file, notes } = await api.recordings.export({ id, format })
    showToast({
      title: text.exported,
      detail: visibleText([file, ...notes].join('\n')),
      tone: notes.length > 0 ? 'warn' : 'ok',
      timeoutMs: 15_000,
      action: {
        label: text.copyPath,
        onClick: () => {
          copyText(file).catch((error: unknown) => showFailure(text.couldNotCopy, error))
        },
      },
    })
  } catch (error) {
    showFailure(text.couldNotExport, error)
  }
}

/** Keeps a recording by a name, as a file of the workspace too. */
export async function keepAs(id: string, name: string): Promise<void> {
  const { file } = await api.recordings.keep({ id, name })
  showToast({ title: text.kept, detail: visibleText(file), tone: 'ok' })
  await readRecordingsAgain()
}

export async function renameTo(id: string, name: string): Promise<void> {
  await api.recordings.rename({ id, name })
  await readRecordingsAgain()
}

export async function addComment(id: string, at: number, comment: string): Promise<void> {
  await api.recordings.comment({ id, at, text: comment })
  await readRecordingsAgain()
}

/** Deletes a recording. Never rejects. */
export async function deleteRecording(id: string): Promise<void> {
  try {
    await api.recordings.delete({ id })
    if (shownRecording.get() === id) shownRecording.set(undefined)
  } catch (error) {
    showFailure(text.couldNotDelete, error)
  }
  await readRecordingsAgain()
}

/** Imports files one after another and shows the last one that could be read. Never rejects. */
export async function importFiles(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    try {
      const { id, problems } = await importFile(file)
      shownRecording.set(id)
      if (problems.length > 0)
        showToast({ title: text.importedInPart, detail: visibleText(problems.join('\n')), tone: 'warn' })
    } catch (error) {
      showFailure(text.couldNotImport(visibleText(file.name)), error)
    }
  }
  await readRecordingsAgain()
}

async function importFile(file: File): Promise<{ id: string; problems: string[] }> {
  if (file.size > IMPORT_MOST_BYTES) throw new Error(text.tooLarge(bytesText(file.size)))
  const upload = crypto.randomUUID()
  let offset = 0
  do {
    const part = new Uint8Array(await file.slice(offset, offset + IMPORT_PART_BYTES).arrayBuffer())
    await api.recordings.importPart({ upload, offset, base64: base64Of(part) })
    offset += part.length
  } while (offset < file.size)
  return api.recordings.importEnd({ upload, fileName: file.name.slice(0, 200) || text.unnamed })
}

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += SLICE)
    binary += String.fromCodePoint(...bytes.subarray(at, at + SLICE))
  return btoa(binary)
}
