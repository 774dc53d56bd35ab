import { Registry } from '../registry/registry.ts'
import { Notebook } from './notebook.ts'
import { addSummarisePrompt } from './prompt.ts'
import { addResources } from './resources.ts'
import { addCreateNote } from './tools/create-note.ts'
import { addIndexNotes } from './tools/index-notes.ts'
import { addListNotes } from './tools/list-notes.ts'
import { addSearchNotes } from './tools/search-notes.ts'

/** What a server of notes tells its clients about itself (specification: Lifecycle, `instructions`). */
export const NOTES_INSTRUCTIONS =
  'Notes kept in memory. create_note keeps one, search_notes and list_notes find them, each is a resource ' +
  'notes://{id}, and notes://index links them all. Nothing is kept when Patchbay ends.'

/** The registry of the notes server. Its notes are in the store that each call brings along. */
export function createNotesRegistry(): Registry {
  // Notes come and go; what can be done with them stays.
  const registry = new Registry({ outlooks: { tools: 'fixed', prompts: 'fixed' } })
  const notebook = new Notebook()
  addCreateNote(registry, notebook)
  addSearchNotes(registry, notebook)
  addListNotes(registry, notebook)
  addIndexNotes(registry, notebook)
  addResources(registry, notebook)
  addSummarisePrompt(registry, notebook)
  return registry
}
