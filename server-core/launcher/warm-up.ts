import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { NodeRecipe } from './parts.ts'

/** Where a built command keeps its compiled code, beside itself. */
const COMPILED = '.compiled'
/** Milliseconds that a start may take on a busy machine. */
const PATIENCE_MS = 60_000

/**
 * Runs a built command once, so that its compiled code is kept before anybody waits for it. Throws an error with what
 * the command said if it does not end well.
 *
 * @param folder where it was built to
 */
export async function warmUp(folder: string, { entries, warmUp: run }: NodeRecipe): Promise<void> {
  const [entry] = Object.keys(entries)
  if (entry === undefined || run === undefined) return
  await rm(path.join(folder, COMPILED), { recursive: true, force: true })
  const running = promisify(execFile)(process.execPath, [path.join(folder, `${entry}.js`), ...run.words], {
    timeout: PATIENCE_MS,
  })
  running.child.stdin?.end(run.messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
  await running
}
