import { createRequire } from 'node:module'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { endWhenOrphaned } from '../../scripts/orphan-watch.ts'
import { isUtilityProcess, parentEnd } from '../../scripts/parent-end.ts'
import { withSourcePlaces } from './source-places.ts'
import { readTask, type ScriptOutcome, type ScriptTask } from './script-messages.ts'

const end = parentEnd()
if (end === undefined)
  throw new Error('This runs scripts that answer questions; it cannot be started by hand.')
if (!isUtilityProcess()) endWhenOrphaned()
end.onMessage((message) => {
  const task = readTask(message)
  if (task === undefined) throw new TypeError('The task is invalid.')
  void run(task).then((outcome) => end.post(outcome))
})
void end.closed.then(() => process.exit(0))

async function run(task: ScriptTask): Promise<ScriptOutcome> {
  const name = task.file ?? 'The script'
  // What CommonJS modules in the bundle ask for by `require`.
  if (task.file !== undefined)
    Object.defineProperty(globalThis, 'require', { value: createRequire(task.file), configurable: true })
  const address = `data:text/javascript;base64,${Buffer.from(task.code).toString('base64')}`
  try {
    const module = (await import(address)) as { readonly default?: unknown }
    if (typeof module.default !== 'function')
      return failure(
        `${name} exports no function as its default. Write: export default (question) => ({ … })`,
      )
    const answer: unknown = await (module.default as (question: unknown) => unknown)(
      JSON.parse(task.questionText),
    )
    return { type: 'answer', answerText: stringifyExact(answer ?? null) }
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return failure(withSourcePlaces(words, address, task))
  }
}

function failure(reason: string): ScriptOutcome {
  return { type: 'failure', reason }
}
