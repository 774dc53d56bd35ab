import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { WireTransport } from '../../protocol/transport-kind.ts'
import type {
  ClientDriver,
  DrivenClient,
  ExamAddress,
  StepOutcome,
} from '../../conformance/exam/client-driver.ts'
import { startCommand } from '../../conformance/probe/process-handle.ts'
import { SUPPORTED } from '../../protocol/revisions.ts'
import { shellLine } from '../../conformance/report/repeat-command.ts'

/** A client that has not ended by then has done what it does by itself. */
const RUN_MS = 10_000
/** Characters of its output that are kept. */
const OUTPUT = 64 * 1024

/** Starts a client by a command line, whose placeholders name the server. It cannot be driven step by step. */
export function commandDriver(
  [command, ...args]: readonly [string, ...string[]],
  transport: WireTransport,
): ClientDriver {
  return {
    name: path.basename(command),
    transports: [transport],
    revisions: SUPPORTED,
    start: async (address) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-exam-'))
      try {
        return await startClient(command, await argumentsFor(args, address, folder), folder)
      } catch (error) {
        await rm(folder, { recursive: true, force: true })
        throw error
      }
    },
  }
}

async function startClient(command: string, args: readonly string[], folder: string): Promise<DrivenClient> {
  const child = await startCommand({ command, args })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-OUTPUT)
    })
  }
  child.stdin.end()
  return {
    process: child,
    output: () => output,
    basic: async () => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<StepOutcome>((resolve) => {
        timer = setTimeout(resolve, RUN_MS, { type: 'done' })
      })
      const ended = child.exited.then(({ code, signal }): StepOutcome =>
        code === 0
          ? { type: 'done' }
          : { type: 'failed', message: `it ended with ${signal ?? `exit code ${code ?? ''}`}` },
      )
      const outcome = await Promise.race([ended, late])
      clearTimeout(timer)
      return outcome
    },
    close: async () => {
      await child.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The arguments with what they have in place of each placeholder. */
async function argumentsFor(
  args: readonly string[],
  { url = '', command }: ExamAddress,
  folder: string,
): Promise<readonly string[]> {
  const words = command === undefined ? [] : [command.command, ...(command.args ?? [])]
  const config = path.join(folder, 'mcp.json')
  const [first, ...rest] = words
  const servers = { exam: first === undefined ? { url } : { command: first, args: rest } }
  await writeFile(config, `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`)
  const filled = args.map((word) =>
    word.replaceAll('{url}', url).replaceAll('{config}', config).replaceAll('{command}', shellLine(words)),
  )
  const isNamed = args.some((word) => /\{(url|config|command)\}/.test(word))
  return isNamed ? filled : [...filled, ...words]
}
