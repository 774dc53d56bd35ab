import type { Registry } from '../registry/registry.ts'
import { NOTE_MIME_TYPE, noteDocument, noteUri, type Note } from './note.ts'
import { tagsOf, type Notebook } from './notebook.ts'

const STYLES = {
  brief: 'in three sentences',
  detailed: 'in detail, note by note',
  bullets: 'as a bulleted list',
}
/** Notes that one prompt carries. */
const MAX_CARRIED = 50

/** Registers `summarise_notes` (specification: Prompts): its arguments are completed, the notes come as resources. */
export function addSummarisePrompt(registry: Registry, notebook: Notebook): void {
  registry.addPrompt({
    name: 'summarise_notes',
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
        return tagsOf(await notebook.all(store)).filter((tag) => tag.toLowerCase().startsWith(typed))
      },
    },
    async get({ style, tag }, { store }) {
      const notes = await notebook.all(store)
      const wanted = tag === undefined ? notes : notes.filter(({ tags }) => tags.includes(tag))
      const carried = wanted.slice(-MAX_CARRIED)
      return {
        description: `Summary of ${countOf(carried)}`,
        messages: [{ content: [requestFor(style, tag, carried), ...carried.map(asBlock)] }],
      }
    },
  })
}

function requestFor(style: string, tag: string | undefined, notes: readonly Note[]): string {
  const which = tag === undefined ? '' : ` tagged “${tag}”`
  if (notes.length === 0)
    return `There are no notes${which} yet. Say so, and suggest what to write down first.`
  const manner = Object.hasOwn(STYLES, style)
    ? STYLES[style as keyof typeof STYLES]
    : `in this style: ${style}`
  return `Summarise my ${countOf(notes)}${which} ${manner}. Refer to each note by its title.`
}

function asBlock(note: Note) {
  return {
    type: 'resource',
    resource: { uri: noteUri(note), mimeType: NOTE_MIME_TYPE, text: noteDocument(note) },
  }
}

function countOf(notes: readonly Note[]): string {
  return notes.length === 1 ? '1 note' : `${notes.length} notes`
}
