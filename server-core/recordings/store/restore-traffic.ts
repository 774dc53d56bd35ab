import type { TrafficLog } from '../../capture/traffic-log.ts'
import type { Frame } from '../../ports/tap.ts'
import { RecordingView, type NumberedFrame } from '../recording-view.ts'
import { tappedFrame } from '../rows-of-frames.ts'
import type { RecordingStore, StoredRecording } from './recording-store.ts'

/** The most that is restored: older frames are read from the recordings when they are asked for. */
const FRAMES = 5_000
const BYTES = 8 * 1024 * 1024
const RECORDINGS = 32

type Earlier = { readonly recording: StoredRecording; readonly frame: NumberedFrame }

/** Adds the newest frames of earlier runs to an empty log, in the order in which they came. */
export async function restoreTraffic(store: RecordingStore, log: TrafficLog): Promise<void> {
  const recordings = (await store.list()).filter(({ imported }) => imported !== true).slice(0, RECORDINGS)
  const all: Earlier[] = []
  for (const recording of recordings) {
    const oldest = all.length >= FRAMES ? (all[all.length - FRAMES]?.frame.at ?? 0) : 0
    if (recording.endedAt < oldest) break
    for (const frame of await lastFrames(store.folderOf(recording.id))) all.push({ recording, frame })
    all.sort((a, b) => a.frame.at - b.frame.at)
  }
  const restored = newest(all)
  const connections = new Map<string, Connection>()
  for (const { recording, frame } of restored) {
    const key = `${recording.id} ${frame.connection.number}`
    let connection = connections.get(key)
    if (connection === undefined) {
      const { serverId, serverName, side } = recording
      connection = { add: log.earlier({ serverId, serverName, side, isEarlierRun: true }), last: frame }
      connections.set(key, connection)
    }
    connection.last = frame
    connection.add(tappedFrame(frame), frame.at)
  }
  // What was open when the process ended does not go on.
  for (const { add, last } of connections.values()) {
    if (last.event === 'closed') continue
    add(
      { kind: 'lifecycle', direction: 'received', bytes: new Uint8Array(), event: 'closed', note: ENDED },
      last.at,
    )
  }
}

const ENDED = 'the recording ends here'

type Connection = { readonly add: (frame: Frame, at: number) => number; last: NumberedFrame }

async function lastFrames(folder: string): Promise<NumberedFrame[]> {
  try {
    const view = await RecordingView.open(folder)
    const first = Math.max(0, view.frames - FRAMES)
    return await view.read(Array.from({ length: view.frames - first }, (_, place) => first + place))
  } catch {
    // It is listed among the recordings, where opening it says why.
    return []
  }
}

function newest(all: readonly Earlier[]): readonly Earlier[] {
  let bytes = 0
  let first = all.length
  while (first > 0 && all.length - first < FRAMES) {
    bytes += all[first - 1]?.frame.bytes.length ?? 0
    if (bytes > BYTES) break
    first -= 1
  }
  return all.slice(first)
}
