import { resource, template } from 'patchbay'
import { INDEX_URI, NOTE_MIME_TYPE, noteDocument, noteUri, type Note } from '../lib/note.ts'
import { allNotes, findNote, foundWords, type WordIndex } from '../lib/notebook.ts'

/** One resource that is always there. Whoever subscribes to it learns of every note. */
export const index = resource({
  uri: INDEX_URI,
  title: 'Index of notes',
  description: 'All notes with their links, and the words that index_notes found.',
  mimeType: NOTE_MIME_TYPE,
  annotations: { audience: ['user', 'assistant'], priority: 0.8 },
  read: async ({ store }) => indexDocument(await allNotes(store), await foundWords(store)),
})

/** A resource for each note, listed as they come and go, with ids that complete themselves. */
export const note = template({
  uriTemplate: 'notes://{id}',
  title: 'A note',
  description: 'One note as Markdown, by its id.',
  mimeType: NOTE_MIME_TYPE,
  complete: {
    id: async (value, { store }) => {
      const typed = value.toLowerCase()
      const notes = await allNotes(store)
      return notes
        .filter(({ id, title }) => id.startsWith(typed) || title.toLowerCase().includes(typed))
        .map(({ id }) => id)
    },
  },
  list: async ({ store }) =>
    (await allNotes(store)).map((each) => ({
      uri: noteUri(each),
      name: `note-${each.id}`,
      title: each.title,
      mimeType: NOTE_MIME_TYPE,
      size: Buffer.byteLength(noteDocument(each)),
      annotations: { lastModified: each.createdAt },
    })),
  read: async ({ id }, { store }) => {
    const found = await findNote(store, id)
    return found === undefined ? undefined : noteDocument(found)
  },
})

function indexDocument(notes: readonly Note[], words: WordIndex | undefined): string {
  const list =
    notes.length === 0
      ? ['There are no notes yet. The tool create_note makes one.']
      : notes.map((each) => `- [${escaped(each.title)}](${noteUri(each)})`)
  const found =
    words === undefined || words.words.length === 0
      ? []
      : ['', '## Most used words', '', ...words.words.map(({ word, count }) => `- ${word}: ${count}`)]
  return `${['# Notes', '', ...list, ...found].join('\n')}\n`
}

/** A title is text, whatever Markdown would make of it. */
function escaped(title: string): string {
  return title.replace(/[\\[\]*_`<>]/g, '\\$&').replace(/\s+/g, ' ')
}
