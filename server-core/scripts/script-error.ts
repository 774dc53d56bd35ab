import { CodedError } from '../protocol/coded-error.ts'

/** A place in a file of the workspace. */
export type SourcePlace = {
  /** From the folder of the workspace, with `/`; absolute if it is outside. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** The text of that line; undefined where it cannot be read. */
  readonly text?: string
}

/** What can be wrong with a script. */
export const SCRIPT_ERROR_CODES = [
  /** There is no such file, or it cannot be read. */
  'missing',
  /** It cannot be bundled: a syntax error, an import that leads nowhere. */
  'build',
  /** It threw, or ended, while it was loaded. */
  'evaluation',
  /** It took too long to be loaded. */
  'timeout',
  /** It exports nothing that can be served, or something that cannot. */
  'definition',
  /** `patchbay.config.ts` says something that cannot be. */
  'config',
  /** It ended too often within a few minutes (`scriptCrashes` in the limits) and is switched off. */
  'stopped',
  /** The process that runs scripts cannot be started, or the host is closed. */
  'unavailable',
] as const

export type ScriptErrorCode = (typeof SCRIPT_ERROR_CODES)[number]

/** Why a script cannot be loaded or run. `message` says what was expected, what came and what to do. */
export class ScriptError extends CodedError<ScriptErrorCode> {
  override readonly name = 'ScriptError'
  readonly at: SourcePlace | undefined
  /** Files, absolute, a change of which may fix it, as far as they are known. */
  readonly inputs: readonly string[]

  constructor(
    code: ScriptErrorCode,
    message: string,
    more: ErrorOptions & { readonly at?: SourcePlace | undefined; readonly inputs?: readonly string[] } = {},
  ) {
    super(code, message, more)
    this.at = more.at
    this.inputs = more.inputs ?? []
  }
}
