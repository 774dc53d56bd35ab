import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { SUPPORTED } from '../../server-core/protocol/revisions.ts'
import { compare } from './compare.ts'
import { FLAWS } from './flaws.ts'

// Holds our schemas against the official schema files: `verify:schemas -- DIR [SEED]`, with DIR/<revision>.json.
const [folder, givenSeed] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: npm run verify:schemas -- DIR [SEED]   (DIR holds <revision>.json for each revision)')
  process.exitCode = 2
} else {
  const seed = givenSeed === undefined ? Math.trunc(Math.random() * 0x7fffffff) : Number(givenSeed)
  let agreed = 0
  for (const revision of SUPPORTED) {
    const document: unknown = JSON.parse(await readFile(path.join(folder, `${revision}.json`), 'utf8'))
    if (!isJsonObject(document)) throw new TypeError(`${revision}.json holds no schema`)
    const { definitions, instances, mutants, disagreements } = compare(revision, document, seed)
    const outcome = disagreements.length === 0 ? 'agree' : `${disagreements.length} disagreements in`
    console.log(
      `${revision}: ${outcome}: ${definitions} definitions, ${instances} instances, ${mutants} mutants`,
    )
    const flaws = FLAWS.filter(({ revisions }) => revisions.includes(revision)).map(({ name }) => name)
    console.log(`  after mending ${flaws.join(', ')}`)
    for (const { definition, kind, reason, instance } of disagreements) {
      const shown = instance === undefined ? '' : `\n    ${JSON.stringify(instance).slice(0, 2_000)}`
      console.log(`  ${definition} (${kind}): ${reason}${shown}`)
    }
    if (disagreements.length === 0) agreed += 1
    else process.exitCode = 1
  }
  console.log(`seed ${seed}`)
  console.log(`${agreed} passed, ${SUPPORTED.length - agreed} failed`)
}
