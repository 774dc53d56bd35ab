import type { Registry } from '../../registry/registry.ts'
import { NOTE_SUMMARY_SCHEMA, noteSummary } from '../note.ts'
import { MAX_TAG_LENGTH, type Notebook } from '../notebook.ts'
import { textOf } from './arguments.ts'

/** Registers `list_notes`, the tool that can be called without arguments. */
export function addListNotes(registry: Registry, notebook: Notebook): void {
  registry.addTool({
    name: 'list_notes',
    title: 'List notes',
    description: 'Lists all notes, newest first, or those with one tag.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    input: {
      type: 'object',
      properties: {
        tag: {
          type: 'string',
          title: 'Tag',
          description: 'Only notes with this tag.',
          minLength: 1,
          maxLength: MAX_TAG_LENGTH,
        },
      },
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        total: { type: 'integer', description: 'How many notes there are in all.' },
        notes: { type: 'array', items: NOTE_SUMMARY_SCHEMA },
      },
      required: ['total', 'notes'],
    },
    async run(args, { store }) {
      const tag = textOf(args, 'tag')
      const notes = await notebook.all(store)
      const wanted = tag === '' ? notes : notes.filter(({ tags }) => tags.includes(tag))
      return { total: notes.length, notes: wanted.toReversed().map(noteSummary) }
    },
  })
}
