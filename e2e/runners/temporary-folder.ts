import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** As each system calls it. */
const NAMES = ['TMPDIR', 'TEMP', 'TMP']

/**
 * Uses a temporary folder for this process and its children, which is removed when this process ends: many of
 * them are killed before they can clear up. Its name is short, for the paths of sockets may not be long.
 */
export function useOwnTemporaryFolder(): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pb-'))
  for (const name of NAMES) process.env[name] = folder
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    } catch (error) {
      // What has passed or failed is said already.
      console.error(`The temporary folder ${folder} stays: ${String(error)}`)
    }
  })
}
