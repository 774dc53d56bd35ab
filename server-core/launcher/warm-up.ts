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
export async function warmUp(folder: string, { entries, warmUp: words }: NodeRecipe): Promise<void> {
  const [entry] = Object.keys(entries)
  if (entry === undefined || words === undefined) return
  await rm(path.join(folder, COMPILED), { recursive: true, force: true })
  const run = promisify(execFile)(process.execPath, [path.join(folder, `${entry}.js`), ...words], {
    timeout: PATIENCE_MS,
  })
  run.child.stdin?.end()
  await run
}
