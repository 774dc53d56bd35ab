import { isJsonObject } from '../../protocol/json.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { RecordingView } from '../../recordings/recording-view.ts'
import type { StoredRecording } from '../../recordings/store/recording-store.ts'
import type { RecordingFacts } from '../contract/recordings.ts'

/** Recordings that are opened at the same time. */
const AT_ONCE = 4
/** Bytes of a message in which the name of the client is looked for. */
const MOST_BYTES = 256 * 1024

type Known = { readonly endedAt: number; readonly bytes: number; readonly facts: RecordingFacts }

/** What is known of recordings by opening them, for as long as they do not change. */
export class FactsOfRecordings {
  #known = new Map<string, Known>()
  #reading: Promise<RecordingFacts[]> | undefined

  /** Facts of all that are given; those that did not change are not opened again. One reading at a time. */
  of(
    recordings: readonly StoredRecording[],
    open: (recording: StoredRecording) => Promise<RecordingView>,
  ): Promise<RecordingFacts[]> {
    this.#reading ??= this.#read(recordings, open).finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(
    recordings: readonly StoredRecording[],
    open: (recording: StoredRecording) => Promise<RecordingView>,
  ): Promise<RecordingFacts[]> {
    const next = new Map<string, Known>()
    const left = [...recordings]
    const readNext = async (): Promise<void> => {
      for (let each = left.shift(); each !== undefined; each = left.shift()) {
        const { id, endedAt, bytes } = each
        const known = this.#known.get(id)
        const isSame = known?.bytes === bytes && known.endedAt === endedAt
        next.set(id, isSame ? known : { endedAt, bytes, facts: await factsOf(id, () => open(each)) })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, readNext))
    this.#known = next
    return recordings.flatMap(({ id }) => next.get(id)?.facts ?? [])
  }
}

async function factsOf(id: string, open: () => Promise<RecordingView>): Promise<RecordingFacts> {
  try {
    const view = await open()
    const { frames, errors, problems } = view
    const client = await clientOf(view)
    return { id, frames, errors, ...(client !== undefined && { client }), problems: [...problems] }
  } catch (error) {
    return { id, frames: 0, errors: 0, problems: [messageOf(error)] }
  }
}

/** The client by the name that it gave in its newest `initialize`, or in the metadata of `server/discover`. */
async function clientOf(view: RecordingView): Promise<string | undefined> {
  const found = await view.find({ methods: ['initialize', 'server/discover'] }, 1)
  const [frame] = await view.read(found.map(({ number }) => number))
  if (frame === undefined || frame.bytes.length > MOST_BYTES) return undefined
  let message: unknown
  try {
    message = JSON.parse(frame.bytes.toString())
  } catch {
    return undefined
  }
  const params = isJsonObject(message) && isJsonObject(message['params']) ? message['params'] : {}
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  const info = params['clientInfo'] ?? meta[MetaKey.clientInfo]
  if (!isJsonObject(info)) return undefined
  const { name, version } = info
  if (typeof name !== 'string') return undefined
  return (typeof version === 'string' ? `${name} ${version}` : name).slice(0, 200)
}
