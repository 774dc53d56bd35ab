import type { ProcessStarter } from '../../processes/process-starter.ts'
import { cleanEnvironment } from '../../scripts/clean-environment.ts'
import { RuleError } from '../rule-error.ts'
import { readOutcome, type ScriptOutcome, type ScriptTask } from './script-messages.ts'

export type ScriptProcessParts = {
  readonly starter: ProcessStarter
  /** Absolute path of the built `script-process.js`. */
  readonly entry: string
}

const TIMEOUT_MS = 10_000
const HEAP_LIMIT = '--max-old-space-size=512'
/** Bytes of a script's output that are reported when it fails. */
const PRINTED = 2_048

/**
 * Runs a module once, in a process of its own that is killed when it has answered or the time is over, with a clean
 * environment. Gives the JSON text of what its default export gave. Throws a `RuleError` (`script`), and the reason of
 * the signal if that was aborted.
 *
 * @param name what the script is called in errors
 * @param timeoutMs milliseconds, starting the process included
 */
export async function runScript(
  task: ScriptTask,
  name: string,
  { starter, entry }: ScriptProcessParts,
  signal: AbortSignal,
  timeoutMs: number = TIMEOUT_MS,
): Promise<string> {
  signal.throwIfAborted()
  const child = await starter.start({
    entry,
    args: [],
    execArgv: [HEAP_LIMIT],
    env: cleanEnvironment(),
    name: 'patchbay responder script',
  })
  let printed = ''
  child.onOutput((_stream, bytes) => {
    printed = (printed + new TextDecoder().decode(bytes)).slice(-PRINTED)
  })
  const { promise, resolve, reject } = Promise.withResolvers<ScriptOutcome>()
  const timer = setTimeout(
    () => resolve({ type: 'failure', reason: `It gave no answer within ${timeoutMs} ms and was ended.` }),
    timeoutMs,
  )
  const abort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  child.onMessage((message) => {
    resolve(
      readOutcome(message) ?? {
        type: 'failure',
        reason: 'It sent an invalid message in place of an answer.',
      },
    )
  })
  void child.exited.then(({ code, signal: by, fault }) => {
    const how = by === null ? `with code ${String(code)}` : `by ${by}`
    const reason =
      fault === undefined
        ? `Its process ended ${how} before it had answered.`
        : `Its process was ended, because something in it ${fault}.`
    resolve({ type: 'failure', reason })
  })
  child.post(task)
  try {
    const outcome = await promise
    if (outcome.type === 'answer') return outcome.answerText
    const tail = printed.trim() === '' ? '' : `\nIt printed: ${printed.trim()}`
    throw new RuleError('script', `The script ${name} gave no answer. ${outcome.reason}${tail}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    child.kill()
    await child.gone
  }
}
