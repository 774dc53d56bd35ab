import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { shortJson } from '../../probe/outcome.ts'
import { twoPrincipals } from '../tools/access.ts'

/** A result without what belongs to one answer alone. */
function settled({ _meta: _, ttlMs: __, nextCursor: ___, ...rest }: JsonObject): JsonObject {
  return rest
}

export const publicLeak = serverCheck(
  'caching.server.public-leak',
  async (probe) => {
    const [first, second] = await twoPrincipals(probe)
    const uri = probe.server.resources[0]?.['uri']
    const requests: readonly (readonly [string, JsonObject])[] = [
      ['tools/list', {}],
      ['resources/list', {}],
      ['prompts/list', {}],
      ...(uri === undefined ? [] : [['resources/read', { uri }] as const]),
    ]
    for (const [method, params] of requests) {
      const [one, other] = await Promise.all([first.call(method, params), second.call(method, params)])
      if (one.type !== 'result' || other.type !== 'result') continue
      const isPublic = one.result['cacheScope'] === 'public' || other.result['cacheScope'] === 'public'
      if (!isPublic || isDeepStrictEqual(settled(one.result), settled(other.result))) continue
      probe.fail({
        expected: `one public result of ${method} for all`,
        actual: `another one for another principal: ${shortJson(other.result)}`,
        statement: 'caching.public-aware',
        member: '/result/cacheScope',
        frame: [one.frame, other.frame],
      })
    }
  },
  { title: 'Public results hold nothing of a user' },
)
