import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { endWhenOrphaned } from '../../scripts/orphan-watch.ts'
import { isUtilityProcess, parentEnd } from '../../scripts/parent-end.ts'
import { scriptHash } from './approval-hash.ts'
import type { ScriptOutcome, ScriptTask } from './script-messages.ts'

const end = parentEnd()
if (end === undefined)
  throw new Error('This runs scripts that answer questions; it cannot be started by hand.')
if (!isUtilityProcess()) endWhenOrphaned()
end.onMessage((message) => {
  void run(message as ScriptTask).then((outcome) => end.post(outcome))
})
void end.closed.then(() => process.exit(0))

async function run({ file, hash, questionText }: ScriptTask): Promise<ScriptOutcome> {
  try {
    // Looked at again: it may have been changed since somebody else did.
    if (scriptHash(file, await readFile(file)) !== hash)
      return failure(`${file} was changed just now, and is to be approved again.`)
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown }
    if (typeof module.default !== 'function')
      return failure(
        `${file} exports no function as its default. Write: export default (question) => ({ … })`,
      )
    const answer: unknown = await (module.default as (question: unknown) => unknown)(JSON.parse(questionText))
    return { type: 'answer', answerText: stringifyExact(answer ?? null) }
  } catch (error) {
    return failure(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

function failure(reason: string): ScriptOutcome {
  return { type: 'failure', reason }
}
