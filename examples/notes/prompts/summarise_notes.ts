import { embedded, prompt, text } from 'patchbay'
import { NOTE_MIME_TYPE, noteDocument, noteUri, tagsOf, type Note } from '../lib/note.ts'
import { allNotes } from '../lib/notebook.ts'

const STYLES: Readonly<Record<string, string>> = {
  brief: 'in three sentences',
  detailed: 'in detail, note by note',
  bullets: 'as a bulleted list',
}
/** Notes that one prompt carries. */
const MAX_CARRIED = 50

/** A prompt whose arguments complete themselves; the notes come along as resources. */
export default prompt({
  title: 'Summarise notes',
  description: 'Asks a model to summarise all notes, or those with one tag. The notes come along.',
  arguments: [
    {
      name: 'style',
      title: 'Style',
      description: `How to write it: ${Object.keys(STYLES).join(', ')}.`,
      required: true,
    },
    { name: 'tag', title: 'Tag', description: 'Only notes with this tag.' },
  ],
  complete: {
    style: Object.keys(STYLES),
    tag: async (value, { store }) => {
      const typed = value.toLowerCase()
      return tagsOf(await allNotes(store)).filter((tag) => tag.toLowerCase().startsWith(typed))
    },
  },
  async get({ style, tag }, { store }) {
    const notes = await allNotes(store)
    const wanted = tag === undefined ? notes : notes.filter(({ tags }) => tags.includes(tag))
    const carried = wanted.slice(-MAX_CARRIED)
    const blocks = carried.map((note) => embedded(noteUri(note), noteDocument(note), NOTE_MIME_TYPE))
    return {
      description: `Summary of ${countOf(carried)}`,
      messages: [{ content: [text(requestFor(style, tag, carried)), ...blocks] }],
    }
  },
})

function requestFor(style: string, tag: string | undefined, notes: readonly Note[]): string {
  const which = tag === undefined ? '' : ` tagged “${tag}”`
  if (notes.length === 0)
    return `There are no notes${which} yet. Say so, and suggest what to write down first.`
  const manner = STYLES[style] ?? `in this style: ${style}`
  return `Summarise my ${countOf(notes)}${which} ${manner}. Refer to each note by its title.`
}

function countOf(notes: readonly Note[]): string {
  return notes.length === 1 ? '1 note' : `${notes.length} notes`
}
