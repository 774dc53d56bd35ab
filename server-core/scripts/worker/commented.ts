import type { DefinitionComment } from '../comments/definition-comments.ts'
import type { Defined, Written } from '../authoring/defined.ts'
import type { Places } from './places.ts'

/** What a bundle knows of the comments in its modules, by file from the folder of the workspace. */
export type ModuleComments = Readonly<Record<string, readonly DefinitionComment[]>>

type Definition = Exclude<Written, { readonly kind: 'config' }>

/** A definition with the descriptions that its comments have, where it has none itself. */
export function commented(
  written: Definition,
  { place }: Defined,
  comments: ModuleComments | undefined,
  places: Places,
): Definition {
  // Without comments nothing is looked for: a place costs a look into the source map.
  const comment = comments === undefined ? undefined : commentAt(comments, places.of(place))
  if (comment === undefined) return written
  const { description, arguments: args = {} } = comment
  const said =
    description === undefined || written.definition.description !== undefined ? {} : { description }
  switch (written.kind) {
    case 'tool': {
      const argumentDescriptions = { ...args, ...written.definition.argumentDescriptions }
      return { ...written, definition: { ...written.definition, ...said, argumentDescriptions } }
    }
    case 'prompt': {
      const { arguments: declared } = written.definition
      const withArguments = declared && {
        arguments: declared.map((argument) => {
          const { name, description: own = args[name] } = argument
          return own === undefined ? argument : { ...argument, description: own }
        }),
      }
      return { ...written, definition: { ...written.definition, ...said, ...withArguments } }
    }
    case 'resource':
      return { ...written, definition: { ...written.definition, ...said } }
    case 'template':
      return { ...written, definition: { ...written.definition, ...said } }
  }
}

function commentAt(comments: ModuleComments, at: ReturnType<Places['of']>): DefinitionComment | undefined {
  if (at === undefined) return undefined
  return comments[at.file]?.find(
    ({ line, column, endColumn }) => line === at.line && column <= at.column && at.column <= endColumn,
  )
}
