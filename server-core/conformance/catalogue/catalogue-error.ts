import { CodedError } from '../../protocol/coded-error.ts'

/** The data of the catalogue is invalid, or a check or mutant does not fit it. */
export class CatalogueError extends CodedError<'invalid-catalogue'> {
  override readonly name = 'CatalogueError'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-catalogue', message, options)
  }
}
