import summariseNotes from '../../../examples/notes/prompts/summarise_notes.ts'
import * as resources from '../../../examples/notes/resources/notes.ts'
import * as tools from '../../../examples/notes/tools/notes.ts'
import type { PromptDefinition } from '../../registry/prompt-definitions.ts'
import { Registry } from '../../registry/registry.ts'
import type { Defined } from '../../scripts/authoring/defined.ts'

/** What the notes server tells its clients about itself (specification: Lifecycle, `instructions`). */
export const NOTES_INSTRUCTIONS =
  'Notes kept in memory. create_note keeps one, search_notes and list_notes find them, each is a resource ' +
  'notes://{id}, and notes://index links them all. Nothing is kept when Patchbay ends.'

/**
 * The scripts of `examples/notes` that need no zod, in this process: a server without a folder starts in a blink. Its
 * notes are in the store that each call brings along.
 */
export function createBuiltInNotes(): Registry<never> {
  // Notes come and go; what can be done with them stays.
  const registry = new Registry<never>({ listStabilities: { tools: 'fixed', prompts: 'fixed' } })
  for (const [name, { written }] of all(tools)) {
    if (written.kind === 'tool') registry.addTool({ name, ...written.definition })
  }
  for (const [name, { written }] of all(resources)) {
    if (written.kind === 'resource') registry.addResource({ name, ...written.definition })
    else if (written.kind === 'template') registry.addResourceTemplate({ name, ...written.definition })
  }
  const { written } = summariseNotes
  if (written.kind === 'prompt') {
    const definition = { name: 'summarise_notes', ...written.definition }
    // What it gives is looked at when it has given it.
    registry.addPrompt(definition as PromptDefinition<readonly [], never>)
  }
  return registry
}

function all(exports: Readonly<Record<string, Defined>>): readonly (readonly [string, Defined])[] {
  return Object.entries(exports)
}
