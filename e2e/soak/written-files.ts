import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { clientFile } from '../../server-core/install/client-file.ts'
import { clientOf } from '../../server-core/install/clients.ts'
import { readEntries } from '../../server-core/install/installer.ts'
import { readRecording } from '../../server-core/capture/recording/recording-reader.ts'

/** What a writer saved, and which number of it. */
export type Saved = { readonly what: 'script' | 'data' | 'client' | 'recording'; readonly number: number }

export const SCRIPT = 'tools/numbered.ts'
export const CLIENT_FILE = 'mcp.json'
export const RECORDING = 'calls.ndjson'

/** Large enough that a save is many pages. */
const LINES = 3_000
/** What people wrote around the entry of Patchbay. */
const BEFORE = `{\r\n\t// ${'mine '.repeat(2_000)}\r\n\t"servers": {\r\n\t\t"docs": { "url": "https://docs.example/" },`
const AFTER = `\r\n\t},\r\n\t"inputs": [], /* ${'keep '.repeat(2_000)} */\r\n}\r\n`

/** The text of a script that says on each line which one it is, so that a mixed or torn one shows. */
export function numbered(number: number): string {
  return `${Array.from({ length: LINES }, (_, line) => `// ${number} of line ${line}`).join('\n')}\nexport default ${number}\n`
}

/** Makes the files of a round as they are before the first save, which has the number 0. */
export async function writeFiles(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'tools'), { recursive: true })
  await writeFile(path.join(folder, SCRIPT), numbered(0))
  await writeFile(
    path.join(folder, 'patchbay.json'),
    `${JSON.stringify({ version: 1, mine: 'kept', servers: [] })}\n`,
  )
  await writeFile(path.join(folder, CLIENT_FILE), BEFORE + AFTER)
  await writeFile(path.join(folder, 'patchbay.js'), '')
  await rm(path.join(folder, RECORDING), { force: true })
}

/**
 * Looks at the files after a kill. `told` has the highest number of each that was said to be saved: that one or a later one
 * must be there, whole.
 */
export async function lookAtFiles(
  folder: string,
  told: Readonly<Record<Saved['what'], number>>,
): Promise<readonly string[]> {
  const found = {
    script: await scriptNumber(path.join(folder, SCRIPT)),
    data: await dataNumber(path.join(folder, 'patchbay.json')),
    client: await clientNumber(path.join(folder, CLIENT_FILE)),
    recording: await recordingNumber(path.join(folder, RECORDING)),
  }
  return (['script', 'data', 'client', 'recording'] as const).flatMap((what) => {
    const number = found[what]
    if (typeof number === 'string') return [`${what}: ${number}`]
    return number < told[what] ? [`${what}: save ${told[what]} was said to be done, ${number} is there`] : []
  })
}

async function scriptNumber(file: string): Promise<number | string> {
  const text = await readFile(file, 'utf8')
  const number = Number(/^\/\/ (\d+) /.exec(text)?.[1])
  return text === numbered(number) ? number : `torn after ${text.length} characters`
}

async function dataNumber(file: string): Promise<number | string> {
  const text = await readFile(file, 'utf8')
  try {
    const data = JSON.parse(text) as { mine?: string; servers: { id: string }[] }
    if (data.mine !== 'kept') return 'it lost a member that is not ours'
    const numbers = data.servers.map(({ id }) => Number(id.slice(1)))
    const last = numbers.at(-1) ?? 0
    const expected = Array.from(
      { length: Math.min(last, 40) },
      (_, index) => last - Math.min(last, 40) + index + 1,
    )
    return numbers.join() === expected.join() ? last : `it has the servers ${numbers.join(', ')}`
  } catch (error) {
    return `no JSON: ${String(error)}`
  }
}

async function clientNumber(file: string): Promise<number | string> {
  const text = await readFile(file, 'utf8')
  if (!text.startsWith(BEFORE.slice(0, -1)) || !text.endsWith(AFTER)) return 'what people wrote is not whole'
  const surroundings = { platform: process.platform, env: {}, home: path.dirname(file) }
  const where = await clientFile(clientOf('vscode'), surroundings, { type: 'named', file })
  try {
    const { patchbay } = await readEntries(where)
    return patchbay === undefined ? 0 : Number(/workspace-(\d+)/.exec(JSON.stringify(patchbay))?.[1])
  } catch (error) {
    return `it cannot be read: ${String(error)}`
  }
}

/** Its last frame; each has to be the one behind the one before. */
async function recordingNumber(file: string): Promise<number | string> {
  // It was killed as it began.
  const isBegun = await stat(file).then(
    ({ size }) => size > 0,
    () => false,
  )
  if (!isBegun) return 0
  let last = 0
  try {
    for await (const entry of readRecording(file)) {
      if (entry.type === 'gap') return `a gap of ${entry.frames} behind frame ${last}`
      if (entry.type !== 'frame') continue
      const { id } = JSON.parse(entry.bytes.toString()) as { id: number }
      if (id !== last + 1) return `frame ${id} follows frame ${last}`
      last = id
    }
  } catch (error) {
    return `behind frame ${last}: ${String(error)}`
  }
  return last
}
