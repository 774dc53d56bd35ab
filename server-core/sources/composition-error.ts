import { CodedError } from '../protocol/coded-error.ts'

export type CompositionErrorCode =
  /** Two sources have an entry of the same name. */
  | 'collision'
  /** A source of that id is there already, or none is. */
  | 'source'
  /** The configuration names something that does not exist or may not be used. */
  | 'configuration'
  /** A document cannot be read as what it should be. */
  | 'document'
  /** A path leads out of the workspace. */
  | 'outside'

/** What keeps a server from being put together. `message` says what was expected, what came and what to do. */
export class CompositionError extends CodedError<CompositionErrorCode> {
  override readonly name = 'CompositionError'
}
