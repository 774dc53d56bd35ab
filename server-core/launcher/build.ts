/** `npm run build [-- PART…]`: builds what is stale, prints a line for each part, exits 1 if one failed. */
import path from 'node:path'
import { buildParts } from './build-parts.ts'
import { PARTS, partNamed, type Part } from './parts.ts'

const root = path.resolve(import.meta.dirname, '../..')

function wantedParts(names: readonly string[]): readonly Part[] | undefined {
  if (names.length === 0) return PARTS
  const parts: Part[] = []
  for (const name of names) {
    const part = partNamed(name)
    if (part === undefined) {
      const known = PARTS.map((each) => each.name).join(', ')
      console.error(`build: there is no part "${name}"; the parts are ${known}`)
      return undefined
    }
    parts.push(part)
  }
  return parts
}

async function main(): Promise<number> {
  const parts = wantedParts(process.argv.slice(2))
  if (parts === undefined) return 2
  let failed = false
  for (const outcome of await buildParts(root, parts)) {
    if (outcome.state === 'built') console.log(`built ${outcome.part.what} in ${String(outcome.ms)} ms`)
    if (outcome.state === 'failed') {
      failed = true
      console.error(`could not build ${outcome.part.what}:\n${outcome.message}`)
    }
  }
  return failed ? 1 : 0
}

process.exitCode = await main()
