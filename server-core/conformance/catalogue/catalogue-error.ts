/** The data of the catalogue is invalid, or a check or mutant does not fit it. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError'
  readonly code = 'invalid-catalogue'
}
