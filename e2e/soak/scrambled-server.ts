import { isJsonObject } from '../../server-core/protocol/json.ts'
import { Scrambler } from './scrambler.ts'
import type { Random } from '../random.ts'

const ANSWERS: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  [
    'initialize',
    {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'scrambled', version: '1' },
    },
  ],
  [
    'server/discover',
    {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {},
      ttlMs: 0,
      cacheScope: 'private',
    },
  ],
])

/** A server of any era that opens as it should and answers calls through a scrambler. */
export function scrambledServer(random: Random) {
  const scrambler = new Scrambler(random)
  /** Handles one message of a client; `send` and `done` answer it. */
  return (message: unknown, send: (message: unknown) => void, done: () => void = () => undefined): void => {
    if (!isJsonObject(message) || message['id'] === undefined) {
      done()
      return
    }
    const { id, method } = message
    const opening = ANSWERS.get(method)
    if (opening !== undefined) {
      send({ jsonrpc: '2.0', id, result: opening })
      done()
      return
    }
    const params = isJsonObject(message['params']) ? message['params'] : {}
    const args = isJsonObject(params['arguments']) ? params['arguments'] : {}
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
    scrambler.take({ id, nonce: args['nonce'], progressToken: meta['progressToken'], send, done })
  }
}
