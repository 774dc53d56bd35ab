import { failure, text, tool, z } from 'patchbay'
import { commandLine, CommandLineError } from './command-line.ts'
import { inputSchema, type Program } from './declaration.ts'
import { runProgram, type Ended } from './run-program.ts'

const TIME_LIMIT_MS = 30_000
const OUTPUT_BYTES = 64 * 1024
/** Longer than the program's own limit, which is the one that speaks. */
const MARGIN_MS = 5_000
/** What programs need to find others, and to speak a language. */
const ENVIRONMENT = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'PATHEXT', 'TEMP', 'TMP', 'TMPDIR']

const output = z.object({
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  /** What the exit code means to this program, where that is known. */
  meaning: z.string().optional(),
  stdout: z.string(),
  stderr: z.string(),
  isCut: z.boolean().describe('The output was longer than is kept'),
  ms: z.number().describe('Milliseconds that it took'),
})

/** A tool that runs a declared program in a folder, which no path of a caller can leave. */
export function commandTool(name: string, program: Program, folder: string): ReturnType<typeof tool> {
  const { title, description, readOnly, timeLimitMs = TIME_LIMIT_MS } = program
  return tool({
    name,
    title,
    description,
    input: inputSchema(program),
    output,
    annotations: { readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: false },
    timeout: timeLimitMs + MARGIN_MS,
    async run(values, ctx) {
      let lines = 0
      try {
        const { words, input } = await commandLine(program, isValues(values) ? values : {}, folder)
        const ended = await runProgram({
          program: program.program,
          words,
          folder,
          env: environmentOf(program),
          input,
          timeLimitMs,
          outputBytes: program.outputBytes ?? OUTPUT_BYTES,
          signal: ctx.signal,
          onLine: (line) => {
            lines += 1
            ctx.progress(lines, undefined, line)
          },
        })
        return resultOf(program, ended)
      } catch (error) {
        if (error instanceof CommandLineError) return failure(error.message)
        if (isMissing(error)) return failure(`${program.program} is not on this machine.`)
        throw error
      }
    },
  })
}

function resultOf(program: Program, ended: Ended) {
  const { exitCode, signal, stdout, stderr, isCut, isLate, ms } = ended
  const meaning = exitCode === null ? undefined : program.exitCodes?.[exitCode]
  const isGood = !isLate && (exitCode === 0 || meaning !== undefined)
  const told = [
    ...(stdout === '' ? [] : [text(stdout)]),
    ...(stderr === '' ? [] : [text(stderr, { annotations: { audience: ['assistant'], priority: 0.5 } })]),
    ...(meaning === undefined ? [] : [text(meaning)]),
    ...(isLate ? [text(`It was ended after ${ms} ms, which is longer than it may take.`)] : []),
    ...(!isGood && !isLate ? [text(`It ended with ${signal ?? `exit code ${exitCode}`}.`)] : []),
  ]
  return {
    content: told.length === 0 ? [text('It wrote nothing.')] : told,
    structuredContent: {
      exitCode,
      signal,
      ...(meaning !== undefined && { meaning }),
      stdout,
      stderr,
      isCut,
      ms,
    },
    isError: !isGood,
  }
}

function environmentOf(program: Program): Record<string, string> {
  const names = [...ENVIRONMENT, ...(program.environment ?? [])]
  const entries = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

function isValues(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
