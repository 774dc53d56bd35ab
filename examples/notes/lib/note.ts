/** A note as it is kept. */
export type Note = {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
  /** ISO 8601. */
  readonly createdAt: string
}

export const INDEX_URI = 'notes://index'
export const NOTE_MIME_TYPE = 'text/markdown'

/** The URI of the resource that holds the note. */
export function noteUri({ id }: Pick<Note, 'id'>): string {
  return `notes://${id}`
}

/** A note without its text, as the tools tell it. */
export function noteSummary(note: Note) {
  const { id, title, tags, createdAt } = note
  return { id, uri: noteUri(note), title, tags, createdAt }
}

/** The JSON Schema of `noteSummary`. */
export const NOTE_SUMMARY_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Identifies the note.' },
    uri: { type: 'string', description: 'The resource that holds the whole note.' },
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    createdAt: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'uri', 'title', 'tags', 'createdAt'],
}

/** The note as a Markdown document. */
export function noteDocument({ title, text, tags }: Note): string {
  const parts = [`# ${title}`, ...(text === '' ? [] : [text]), ...(tags.length === 0 ? [] : [tagLine(tags)])]
  return `${parts.join('\n\n')}\n`
}

/** Every tag in use, in alphabetical order. */
export function tagsOf(notes: readonly Note[]): string[] {
  return [...new Set(notes.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b))
}

function tagLine(tags: readonly string[]): string {
  return `Tags: ${tags.join(', ')}`
}
