import { parseArgs } from 'node:util'

const TRANSPORTS = ['http', 'stdio', 'sse', 'ws'] as const
const TAPS = ['memory', 'disk', 'off'] as const

export type BenchOptions = {
  readonly transport: (typeof TRANSPORTS)[number]
  readonly tap: (typeof TAPS)[number]
  readonly port: number
  /** How many tools there are beside the three that are called. */
  readonly tools: number
  /** Tools on one page of `tools/list`; 0 lists all at once. */
  readonly page: number
}

/** Reads the command line, and for what it leaves open `BENCH_PORT`, `BENCH_TOOLS` and `BENCH_PAGE`. */
export function readOptions(words: readonly string[], environment: NodeJS.ProcessEnv): BenchOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      transport: { type: 'string', default: 'http' },
      tap: { type: 'string', default: 'memory' },
      port: { type: 'string', default: environment['BENCH_PORT'] ?? '0' },
      tools: { type: 'string', default: environment['BENCH_TOOLS'] ?? '0' },
      page: { type: 'string', default: environment['BENCH_PAGE'] ?? '0' },
    },
  })
  return {
    transport: oneOf(TRANSPORTS, '--transport', values.transport),
    tap: oneOf(TAPS, '--tap', values.tap),
    port: wholeNumber('--port', values.port),
    tools: wholeNumber('--tools', values.tools),
    page: wholeNumber('--page', values.page),
  }
}

function oneOf<T extends string>(known: readonly T[], option: string, given: string): T {
  const found = known.find((each) => each === given)
  if (found === undefined) throw new TypeError(`${option} is one of ${known.join(', ')}, got "${given}"`)
  return found
}

function wholeNumber(option: string, given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new TypeError(`${option} expects a whole number, got "${given}"`)
  return Number(given)
}
