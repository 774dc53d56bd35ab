import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ProcessStarter } from '../../host/process-starter.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { cleanEnvironment } from '../../scripts/clean-environment.ts'
import { readAnswer } from '../fitting.ts'
import type { Question } from '../question.ts'
import { RuleError } from '../rule-error.ts'
import { scriptHash } from './approval-hash.ts'
import { readOutcome, type ScriptOutcome, type ScriptQuestion, type ScriptTask } from './script-messages.ts'

export type ScriptParts = {
  readonly starter: ProcessStarter
  /** Absolute path of the built `script-process.js`. */
  readonly entry: string
  /** Tells whether the user approved the script as it is now. */
  readonly isApproved: (file: string, hash: string) => Promise<boolean>
}

export type ScriptRun = { readonly file: string; readonly timeoutMs?: number | undefined }

const TIMEOUT_MS = 10_000
const HEAP_LIMIT = '--max-old-space-size=512'
/** Bytes of what a script prints that are told when it fails. */
const PRINTED = 2_048

/**
 * Lets a script of the user answer a question, in a process of its own that is killed when the time is over, with a
 * clean environment. Only a file that the user approved as it is now is run. Throws a `RuleError` (`script` or
 * `answer`), and the reason of the signal if that was aborted.
 */
export async function answerByScript(
  { file, timeoutMs = TIMEOUT_MS }: ScriptRun,
  question: Question,
  parts: ScriptParts,
  signal: AbortSignal,
): Promise<JsonObject> {
  const task: ScriptTask = {
    file,
    hash: await approvedHash(file, parts),
    questionText: stringifyExact(shown(question)),
  }
  signal.throwIfAborted()
  const child = await parts.starter.start({
    entry: parts.entry,
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
    const outcome = readOutcome(message)
    if (outcome !== undefined) resolve(outcome)
  })
  void child.exited.then(({ code, signal: by }) => {
    const how = by === null ? `with code ${String(code)}` : `by ${by}`
    resolve({ type: 'failure', reason: `Its process ended ${how} before it had answered.` })
  })
  child.post(task)
  try {
    const outcome = await promise
    if (outcome.type === 'answer') return readAnswer(outcome.answerText)
    const tail = printed.trim() === '' ? '' : `\nIt printed: ${printed.trim()}`
    throw new RuleError('script', `The script ${file} gave no answer. ${outcome.reason}${tail}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    child.kill()
    await child.exited
  }
}

async function approvedHash(file: string, { isApproved }: ScriptParts): Promise<string> {
  if (!path.isAbsolute(file))
    throw new RuleError('script', `The script must be named by its absolute path, not ${file}.`)
  let content: Uint8Array
  try {
    content = await readFile(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new RuleError('script', `The script cannot be read: ${reason}`, { cause })
  }
  const hash = scriptHash(file, content)
  if (await isApproved(file, hash)) return hash
  throw new RuleError(
    'script',
    `The script ${file} was not approved as it is now. Look at it and approve it, then it will answer.`,
  )
}

function shown({ kind, method, revision, params, server }: Question): ScriptQuestion {
  return { kind, method, revision, params, server }
}
