/** What a fault is about, in the words of a user; it follows the message. */
const WORDS: Readonly<Record<string, string>> = {
  missing: 'reading the file',
  build: 'syntax or imports',
  evaluation: 'thrown while loading',
  timeout: 'load time-out',
  definition: 'exports',
  config: 'configuration',
  configuration: 'configuration',
  // What holds meanwhile says it.
  stopped: '',
  unavailable: 'running scripts',
  collision: 'same name twice',
  unreachable: 'server unreachable',
  mocks: 'mock',
  polling: 'watching the folder',
  unwatched: 'watching the folder',
  'folder-gone': 'watching the folder',
  workspace: 'opening the workspace',
  types: 'types for the editor',
}

/** The code of a fault in words; a foreign code, such as `ts 2322` or the name of a file, stays as it is. */
export function faultWords(code: string): string {
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : code
}
