import { callsOfFrames, type RecordedCall } from '../../comparison/recorded-calls.ts'
import type { Timeline } from './timeline.ts'

/** The requests of a test's own clients with their answers, as those of a recording. */
export function callsOfTimeline(timeline: Timeline): RecordedCall[] {
  const frames = timeline.frames.filter(({ connection }) => timeline.facts(connection) !== undefined)
  return callsOfFrames(
    frames.map(({ number, at, connection, from, messages }) => ({
      number,
      at,
      connection,
      direction: from === 'client' ? 'sent' : 'received',
      messages,
    })),
  )
}
