import { findSourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourcePlace } from '../script-error.ts'

const FRAME = /^\s+at (?:.*? \()?((?:file:\/\/)?[^()]*?):(\d+):(\d+)\)?$/

/** Characters of a line: one that a program wrote may be as long as its file. */
const LONGEST_LINE = 1_000

/** Finds places of the workspace in errors of bundled scripts, whose stacks name the sources already. */
export class Places {
  readonly #folder: string
  readonly #bundle: string

  /** `bundle` is the absolute path of the bundled module. */
  constructor(folder: string, bundle: string) {
    this.#folder = folder
    this.#bundle = bundle
  }

  /** Where in the workspace an error comes from; undefined if its stack names no file of it. */
  of(error: unknown): SourcePlace | undefined {
    for (const line of stackOf(error)?.split('\n') ?? []) {
      const [, where, lineNumber, column] = FRAME.exec(line) ?? []
      if (where === undefined || lineNumber === undefined || column === undefined) continue
      const file = where.startsWith('file:') ? fileURLToPath(where) : where
      const named = this.#named(file)
      if (named === undefined) continue
      const place = { file: named, line: Number(lineNumber), column: Number(column) }
      const text = this.#line(file, place.line)
      return text === undefined ? place : { ...place, text: text.slice(0, LONGEST_LINE) }
    }
    return undefined
  }

  #named(file: string): string | undefined {
    const relative = path.relative(this.#folder, file)
    const foreign =
      !path.isAbsolute(file) ||
      relative.startsWith('..') ||
      path.isAbsolute(relative) ||
      relative.split(path.sep).some((part) => part === 'node_modules' || part === '.patchbay')
    return foreign ? undefined : relative.replaceAll(path.sep, '/')
  }

  /** As it was when the bundle was made; the file may be another one by now. */
  #line(file: string, line: number): string | undefined {
    const { payload } = findSourceMap(this.#bundle) ?? {}
    const at = payload?.sources.findIndex(
      (source) => path.resolve(path.dirname(this.#bundle), sourcePath(source)) === file,
    )
    const content: unknown = at === undefined ? undefined : payload?.sourcesContent[at]
    return typeof content === 'string' ? content.split('\n')[line - 1]?.trimEnd() : undefined
  }
}

/** The stack of whatever was thrown; undefined if it has none that can be read. */
export function stackOf(error: unknown): string | undefined {
  try {
    return error instanceof Error && typeof error.stack === 'string' ? error.stack : undefined
  } catch {
    return undefined
  }
}

function sourcePath(source: string): string {
  return source.startsWith('file:') ? fileURLToPath(source) : source
}
