import type { RecordingFacts, StoredRecordingData } from '../../server-core/host/contract/recordings.ts'

/** A recording with what is known of it by opening it, once that is there. */
export type ListedRecording = StoredRecordingData & { readonly facts: RecordingFacts | undefined }

export const ORDERS = ['newest', 'oldest', 'name', 'size', 'frames'] as const
export type Order = (typeof ORDERS)[number]

/** The name of a recording: the one that it was given, or else its server. */
export function nameOf({ name, serverName, id }: StoredRecordingData): string {
  if (name !== undefined && name !== '') return name
  return serverName === '' ? id : serverName
}

/** What a recording is beside its name, as the search finds it: `kept`, `open`, `damaged`, `imported`. */
export function statesOf({ name, isOpen, imported, facts }: ListedRecording): string[] {
  return [
    ...(isOpen ? ['open'] : []),
    ...(imported === true ? ['imported'] : name === undefined ? [] : ['kept']),
    ...((facts?.problems.length ?? 0) > 0 ? ['damaged'] : []),
  ]
}

/** The recordings that have all words of a text in their name, server, client, state or day, in an order. */
export function orderedRecordings(
  recordings: readonly ListedRecording[],
  text: string,
  order: Order,
): ListedRecording[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return recordings.filter((each) => hasAll(each, words)).sort(BY[order])
}

function hasAll(recording: ListedRecording, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const { serverName, facts, id, startedAt } = recording
  const all = [
    nameOf(recording),
    serverName,
    facts?.client ?? '',
    ...statesOf(recording),
    id,
    new Date(startedAt).toISOString(),
  ]
    .join('\n')
    .toLowerCase()
  return words.every((word) => all.includes(word))
}

type Compare = (one: ListedRecording, other: ListedRecording) => number
const byNewest: Compare = (one, other) => other.startedAt - one.startedAt

const BY: Readonly<Record<Order, Compare>> = {
  newest: byNewest,
  oldest: (one, other) => byNewest(other, one),
  name: (one, other) => nameOf(one).localeCompare(nameOf(other)) || byNewest(one, other),
  size: (one, other) => other.bytes - one.bytes || byNewest(one, other),
  frames: (one, other) => (other.facts?.frames ?? -1) - (one.facts?.frames ?? -1) || byNewest(one, other),
}
