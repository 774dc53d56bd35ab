import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { stringifyExact } from '../protocol/exact-json.ts'
import { RuleError } from '../responders/rule-error.ts'
import type { ScriptModule } from '../responders/scripts/script-messages.ts'
import { bundleModule } from '../scripts/bundle-module.ts'
import { ScriptError } from '../scripts/script-error.ts'
import { runScript, type ScriptProcessParts } from '../responders/scripts/script-run.ts'
import type { AnswerModule, RunAnswer } from './answer-call.ts'
import { messageOf } from '../protocol/error-message.ts'

/**
 * What runs the scripts of answers: each call in a process of its own, with a clean environment and a time limit. To
 * be given to a workspace that the user trusts: that is the approval of its files.
 *
 * @param folder the workspace's folder, in which the files are
 */
export function runAnswers(folder: string, parts: ScriptProcessParts): RunAnswer {
  return async (module, call, signal, timeoutMs) => {
    const name = module.kind === 'script' ? module.file : 'of the answer'
    const task = { ...(await moduleOf(module, folder)), questionText: stringifyExact(call) }
    return runScript(task, name, parts, signal, timeoutMs)
  }
}

async function moduleOf(module: AnswerModule, folder: string): Promise<ScriptModule> {
  if (module.kind === 'code') return { code: module.code }
  try {
    const root = await realpath(folder)
    const file = await realpath(path.resolve(root, module.file))
    const inside = path.relative(root, file)
    if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) {
      throw new RuleError('script', `The script ${module.file} is outside the workspace; move it inside.`)
    }
    const { code } = await bundleModule(file)
    return { file, code }
  } catch (cause) {
    if (cause instanceof RuleError) throw cause
    if (cause instanceof ScriptError) throw new RuleError('script', `The script ${cause.message}`, { cause })
    const reason = messageOf(cause)
    throw new RuleError('script', `The script ${module.file} cannot be read: ${reason}`, { cause })
  }
}
