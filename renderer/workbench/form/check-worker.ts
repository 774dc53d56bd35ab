import { loadEngineFor } from '../../../server-core/protocol/patterns/linear-pattern.ts'
import { ArgumentsChecker } from './check-arguments.ts'
import type { CheckReply, CheckRequest } from './check-messages.ts'
import { matchInLinearTime } from './linear-matching.ts'

matchInLinearTime()

/** The schemas that the page sent, and a checker for each that was used. */
const schemas = new Map<number, { readonly schema: unknown; checker?: ArgumentsChecker }>()

self.addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  void check(data)
})

async function check({ id, schemaId, schemaText, text }: CheckRequest): Promise<void> {
  if (schemaText !== undefined) schemas.set(schemaId, { schema: JSON.parse(schemaText) as unknown })
  const known = schemas.get(schemaId) ?? { schema: true }
  await loadEngineFor(known.schema)
  reply({ type: 'started', id })
  known.checker ??= new ArgumentsChecker(known.schema)
  reply({ type: 'checked', id, check: known.checker.check(text) })
}

function reply(message: CheckReply): void {
  self.postMessage(message)
}
