/**
 * What the scripts of the built-in notes import as 'patchbay' in the built command line: their own share of it, without
 * zod, which would be more than all the rest of a start.
 */
import { Defined, type Written } from '../../scripts/authoring/defined.ts'

export { embedded, text } from '../../scripts/authoring/content.ts'

type DefinitionOf<Kind extends Written['kind']> = Extract<Written, { readonly kind: Kind }>['definition']

/** Like the function of that name that scripts import. */
export function tool(definition: DefinitionOf<'tool'>): Defined {
  return new Defined({ kind: 'tool', definition })
}

/** Like the function of that name that scripts import. */
export function resource(definition: DefinitionOf<'resource'>): Defined {
  return new Defined({ kind: 'resource', definition })
}

/** Like the function of that name that scripts import. */
export function template(definition: DefinitionOf<'template'>): Defined {
  return new Defined({ kind: 'template', definition })
}

/** Like the function of that name that scripts import. */
export function prompt(definition: DefinitionOf<'prompt'>): Defined {
  return new Defined({ kind: 'prompt', definition })
}
