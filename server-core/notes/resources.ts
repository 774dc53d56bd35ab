import type { Registry } from '../registry/registry.ts'
import { INDEX_URI, NOTE_MIME_TYPE, noteDocument, noteUri, type Note } from './note.ts'
import type { Notebook, WordIndex } from './notebook.ts'

/** The index, and each note under its own URI. */
export function addResources(registry: Registry, notebook: Notebook): void {
  registry.addResource({
    uri: INDEX_URI,
    name: 'index',
    title: 'Index of notes',
    description: 'All notes with their links, and the words that index_notes found.',
    mimeType: NOTE_MIME_TYPE,
    annotations: { audience: ['user', 'assistant'], priority: 0.8 },
    read: async ({ store }) => indexDocument(await notebook.all(store), await notebook.words(store)),
  })
  registry.addResourceTemplate({
    uriTemplate: 'notes://{id}',
    name: 'note',
    title: 'A note',
    description: 'One note as Markdown, by its id.',
    mimeType: NOTE_MIME_TYPE,
    complete: {
      id: async (value, { store }) => {
        const typed = value.toLowerCase()
        const notes = await notebook.all(store)
        return notes
          .filter(({ id, title }) => id.startsWith(typed) || title.toLowerCase().includes(typed))
          .map(({ id }) => id)
      },
    },
    list: async ({ store }) =>
      (await notebook.all(store)).map((note) => ({
        uri: noteUri(note),
        name: `note-${note.id}`,
        title: note.title,
        mimeType: NOTE_MIME_TYPE,
        size: Buffer.byteLength(noteDocument(note)),
        annotations: { lastModified: note.createdAt },
      })),
    read: async ({ id }, { store }) => {
      const note = await notebook.find(store, id)
      return note === undefined ? undefined : noteDocument(note)
    },
  })
}

function indexDocument(notes: readonly Note[], words: WordIndex | undefined): string {
  const list =
    notes.length === 0
      ? ['There are no notes yet. The tool create_note makes one.']
      : notes.map((note) => `- [${escaped(note.title)}](${noteUri(note)})`)
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
