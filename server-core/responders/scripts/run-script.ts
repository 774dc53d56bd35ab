import path from 'node:path'
import { stringifyExact } from '../../protocol/exact-json.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { readAnswer } from '../validate-answer.ts'
import type { Question } from '../question.ts'
import { RuleError } from '../rule-error.ts'
import { bundleModule } from '../../scripts/bundle-module.ts'
import { ScriptError } from '../../scripts/script-error.ts'
import { approvable, refusal, type ApprovedScript, type ScriptApproval } from './approval-hash.ts'
import type { ScriptQuestion, ScriptTask } from './script-messages.ts'
import { runScript, type ScriptProcessParts } from './script-run.ts'

export type ScriptParts = ScriptProcessParts & {
  /** Whether the user approved the script as it is now. */
  readonly approval: (file: string, now: ApprovedScript) => Promise<ScriptApproval>
}

export type ScriptRun = { readonly file: string; readonly timeoutMs?: number | undefined }

/**
 * Lets a script of the user answer a question, in a process of its own that is killed when the time is over, with a
 * clean environment. It runs only if the user approved it, and all files that it imports, as they are now: what runs is
 * the very text that was compared. Throws a `RuleError` (`script` or `answer`), and the reason of the signal if that
 * was aborted.
 */
export async function answerByScript(
  { file, timeoutMs }: ScriptRun,
  question: Question,
  parts: ScriptParts,
  signal: AbortSignal,
): Promise<JsonObject> {
  const task: ScriptTask = {
    file,
    code: await approvedCode(file, parts),
    questionText: stringifyExact(shown(question)),
  }
  return readAnswer(await runScript(task, file, parts, signal, timeoutMs))
}

async function approvedCode(file: string, { approval }: ScriptParts): Promise<string> {
  if (!path.isAbsolute(file))
    throw new RuleError('script', `The script must be named by its absolute path, not ${file}.`)
  try {
    const bundle = await bundleModule(file)
    const state = await approval(file, approvable(file, bundle))
    if (state.state === 'approved') return bundle.code
    throw new RuleError('script', refusal(file, state))
  } catch (cause) {
    if (!(cause instanceof ScriptError)) throw cause
    throw new RuleError('script', `The script ${cause.message}`, { cause })
  }
}

function shown({ kind, method, revision, params, server }: Question): ScriptQuestion {
  return { kind, method, revision, params, server }
}
