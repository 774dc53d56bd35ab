/**
 * Stores and drops objects in a process of its own and prints the most bytes of heap. With a folder, its process serves
 * the window with that profile.
 */
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { serveWindow } from './window/serve-window.ts'

const STORED = 200_000
const ROUNDS = 8

const [, , profile] = process.argv
const folder = import.meta.dirname
const window =
  profile === undefined
    ? undefined
    : await serveWindow({
        profile,
        port: 0,
        mcpPort: 0,
        mode: 'headless',
        distFolder: folder,
        pageFolder: folder,
        scriptModules: path.join(folder, '..', 'scripts'),
      })
process.stdout.write(String(await storeAndDrop()))
if (window?.state === 'serving') await window.close()

/** Stores the newest 200,000 of many objects. Returns the most bytes of heap that this process took meanwhile. */
async function storeAndDrop(): Promise<number> {
  const stored = Array.from({ length: STORED }, (_, place): unknown => ({ place }))
  let most = 0
  for (let number = 0; number < STORED * ROUNDS; number += 1) {
    stored[number % STORED] = { number, list: [number], text: `row ${number}` }
    if (number % 1_000 !== 0) continue
    // As between the messages of servers.
    await setImmediate()
    most = Math.max(most, process.memoryUsage().heapTotal)
  }
  return most
}
