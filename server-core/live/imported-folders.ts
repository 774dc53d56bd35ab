import path from 'node:path'

/** What a module imports by a relative path; near enough for a module that cannot be read as one. */
const IMPORTED = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g

/** The folders, absolute, in which what a module imports would be, there or not. */
export function importedFolders(file: string, text: string): readonly string[] {
  const paths = Array.from(text.matchAll(IMPORTED), ([, specifier = '']) => specifier)
  return paths.map((specifier) => path.dirname(path.resolve(path.dirname(file), specifier)))
}
