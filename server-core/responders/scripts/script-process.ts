import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { endWhenOrphaned } from '../../scripts/orphan-watch.ts'
import { isUtilityProcess, parentEnd } from '../../scripts/parent-end.ts'
import { scriptHash } from './approval-hash.ts'
import type { ScriptModule, ScriptOutcome, ScriptTask } from './script-messages.ts'

const end = parentEnd()
if (end === undefined)
  throw new Error('This runs scripts that answer questions; it cannot be started by hand.')
if (!isUtilityProcess()) endWhenOrphaned()
end.onMessage((message) => {
  void run(message as ScriptTask).then((outcome) => end.post(outcome))
})
void end.closed.then(() => process.exit(0))

async function run(task: ScriptTask): Promise<ScriptOutcome> {
  const name = 'code' in task ? 'The script' : task.file
  try {
    // Looked at again: it may have been changed since somebody else did.
    if ('file' in task && scriptHash(task.file, await readFile(task.file)) !== task.hash)
      return failure(`${name} was changed just now, and is to be approved again.`)
    const module = (await import(addressOf(task))) as { readonly default?: unknown }
    if (typeof module.default !== 'function')
      return failure(
        `${name} exports no function as its default. Write: export default (question) => ({ … })`,
      )
    const answer: unknown = await (module.default as (question: unknown) => unknown)(
      JSON.parse(task.questionText),
    )
    return { type: 'answer', answerText: stringifyExact(answer ?? null) }
  } catch (error) {
    return failure(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

function addressOf(module: ScriptModule): string {
  if ('file' in module) return pathToFileURL(module.file).href
  return `data:text/javascript;base64,${Buffer.from(module.code).toString('base64')}`
}

function failure(reason: string): ScriptOutcome {
  return { type: 'failure', reason }
}
