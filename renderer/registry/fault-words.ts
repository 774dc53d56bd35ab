/** What a fault is about, in the words of a user; it follows the message. */
const WORDS: Readonly<Record<string, string>> = {
  missing: 'reading the file',
  build: 'syntax or imports',
  evaluation: 'thrown while loading',
  timeout: 'time limit of loading',
  definition: 'what it exports',
  config: 'configuration',
  configuration: 'configuration',
  // What holds meanwhile says it.
  stopped: '',
  unavailable: 'running scripts',
  collision: 'same name twice',
  unreachable: 'server not reached',
  mocks: 'mock',
  polling: 'following the folder',
  unwatched: 'following the folder',
  'folder-gone': 'following the folder',
  workspace: 'opening the workspace',
  types: 'types for the editor',
}

/** The code of a fault in words; a foreign code, such as `ts 2322` or the name of a file, stays as it is. */
export function faultWords(code: string): string {
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : code
}
