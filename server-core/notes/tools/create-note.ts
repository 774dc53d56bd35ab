import type { Registry } from '../../registry/registry.ts'
import { INDEX_URI, NOTE_MIME_TYPE, NOTE_SUMMARY_SCHEMA, noteSummary, noteUri } from '../note.ts'
import { MAX_TAG_LENGTH, MAX_TAGS, MAX_TEXT_LENGTH, MAX_TITLE_LENGTH, type Notebook } from '../notebook.ts'
import { textOf, textsOf } from './arguments.ts'

/** Registers `create_note`: its result is structured, links to the new resource, and tells that lists changed. */
export function addCreateNote(registry: Registry, notebook: Notebook): void {
  registry.addTool({
    name: 'create_note',
    title: 'Create a note',
    description:
      'Keeps a new note and gives its id and URI. Notes live in memory: they are gone when Patchbay ends.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: {
      type: 'object',
      properties: {
        title: {
          type: 'string',
          title: 'Title',
          description: 'One line that says what the note is about.',
          minLength: 1,
          maxLength: MAX_TITLE_LENGTH,
          pattern: '\\S',
        },
        text: {
          type: 'string',
          title: 'Text',
          description: 'The note itself, as Markdown.',
          maxLength: MAX_TEXT_LENGTH,
          default: '',
        },
        tags: {
          type: 'array',
          title: 'Tags',
          description: 'Words to find the note by.',
          items: { type: 'string', minLength: 1, maxLength: MAX_TAG_LENGTH },
          maxItems: MAX_TAGS,
          default: [],
        },
      },
      required: ['title'],
      additionalProperties: false,
    },
    output: NOTE_SUMMARY_SCHEMA,
    async run(args, ctx) {
      const title = textOf(args, 'title')
      if (title === '') throw new Error('A note needs a title: a text that is not only white space.')
      const note = await notebook.create(ctx.store, {
        title,
        text: textOf(args, 'text'),
        tags: textsOf(args, 'tags'),
      })
      ctx.changed({ kind: 'resources' })
      ctx.changed({ uri: INDEX_URI })
      const summary = noteSummary(note)
      return {
        content: [
          { type: 'text', text: JSON.stringify(summary) },
          { type: 'resource_link', uri: noteUri(note), name: note.title, mimeType: NOTE_MIME_TYPE },
        ],
        structuredContent: summary,
      }
    },
  })
}
