import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { stringifyExact } from '../../protocol/exact-json.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { readAnswer } from '../fitting.ts'
import type { Question } from '../question.ts'
import { RuleError } from '../rule-error.ts'
import { scriptHash } from './approval-hash.ts'
import type { ScriptQuestion, ScriptTask } from './script-messages.ts'
import { runScript, type ScriptProcessParts } from './script-run.ts'

export type ScriptParts = ScriptProcessParts & {
  /** Tells whether the user approved the script as it is now. */
  readonly isApproved: (file: string, hash: string) => Promise<boolean>
}

export type ScriptRun = { readonly file: string; readonly timeoutMs?: number | undefined }

/**
 * Lets a script of the user answer a question, in a process of its own that is killed when the time is over, with a
 * clean environment. Only a file that the user approved as it is now is run. Throws a `RuleError` (`script` or
 * `answer`), and the reason of the signal if that was aborted.
 */
export async function answerByScript(
  { file, timeoutMs }: ScriptRun,
  question: Question,
  parts: ScriptParts,
  signal: AbortSignal,
): Promise<JsonObject> {
  const task: ScriptTask = {
    file,
    hash: await approvedHash(file, parts),
    questionText: stringifyExact(shown(question)),
  }
  return readAnswer(await runScript(task, file, parts, signal, timeoutMs))
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
