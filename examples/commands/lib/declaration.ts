/** One argument of a program, as a caller of the tool sees it and as the program gets it. */
export type Argument = {
  readonly description: string
  /** A flag is given or not; a path must lead to something inside the folder. */
  readonly type: 'text' | 'number' | 'flag' | 'path' | 'paths'
  /** The option that it is given by, such as `--max-count`; without it, it follows all options. */
  readonly option?: string
  /** Written `--option=value` in one word, for programs that want it so. */
  readonly joined?: true
  readonly required?: true
  readonly default?: string | number | boolean
  /** Only these texts. */
  readonly choices?: readonly string[]
  /** Of a number. */
  readonly minimum?: number
  readonly maximum?: number
  /** It is written to the standard input of the program and is not a word of its command line. */
  readonly isInput?: true
}

/** A program that callers may run, and how. Undeclared programs cannot be run. */
export type Program = {
  readonly title: string
  readonly description: string
  /** A name in PATH, or an absolute path. No shell ever sees it. */
  readonly program: string
  /** Words that always stand first. */
  readonly words?: readonly string[]
  readonly arguments: Readonly<Record<string, Argument>>
  /** It says `--` after the options, so that no value can pass for one. */
  readonly endsOptions?: true
  /** Changes nothing. */
  readonly readOnly: boolean
  /** Milliseconds until it is ended with all that it started. */
  readonly timeLimitMs?: number
  /** Bytes of standard output and of standard error that are kept. */
  readonly outputBytes?: number
  /** Names of environment variables that it gets beside PATH and the language. */
  readonly environment?: readonly string[]
  /** Exit codes that are not failures, with what they mean. */
  readonly exitCodes?: Readonly<Record<number, string>>
}

/** The arguments as a JSON Schema. */
export function inputSchema(program: Program): Readonly<Record<string, unknown>> {
  const entries = Object.entries(program.arguments)
  const required = entries.flatMap(([name, argument]) => (argument.required === true ? [name] : []))
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, argument]) => [name, schemaOf(argument)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function schemaOf(argument: Argument): Readonly<Record<string, unknown>> {
  const { description, type, choices, minimum, maximum } = argument
  const about = { description, ...(argument.default !== undefined && { default: argument.default }) }
  if (type === 'flag') return { type: 'boolean', ...about }
  if (type === 'number') {
    const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
    return { type: 'integer', ...bounds, ...about }
  }
  if (type === 'paths') return { type: 'array', items: { type: 'string' }, minItems: 1, ...about }
  return { type: 'string', ...(choices !== undefined && { enum: choices }), ...about }
}
