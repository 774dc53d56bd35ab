import path from 'node:path'
import { buildParts } from '../server-core/launcher/build-parts.ts'
import { partNamed } from '../server-core/launcher/parts.ts'

/** Builds what is measured, if it is stale. Throws what the build says. */
export async function buildBench(): Promise<void> {
  const part = partNamed('bench')
  if (part === undefined) throw new Error('expected a part named "bench"')
  const [outcome] = await buildParts(path.resolve(import.meta.dirname, '..'), [part])
  if (outcome?.state === 'failed') throw new Error(outcome.message)
}
