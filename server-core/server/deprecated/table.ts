import type { JsonObject } from '../../protocol/json.ts'
import { warnOfDeprecated } from '../../ports/deprecation-warning.ts'
import type { DeprecatedFeature } from './feature.ts'
import { LOGGING } from './logging.ts'
import { ROOTS } from './roots.ts'
import { SAMPLING } from './sampling.ts'

const FEATURES: readonly DeprecatedFeature[] = [LOGGING, ROOTS, SAMPLING]

/** Methods by which handlers ask the client. */
export const DEPRECATED_QUESTIONS = partsOf(({ question }) => question)

/** Makes notifications of what handlers send, by type. */
export const DEPRECATED_EMISSIONS = partsOf(({ emission }) => emission)

/** What a legacy session answers by itself. */
export const DEPRECATED_METHODS = partsOf(({ sessionMethod }) => sessionMethod)

/** What a server with handlers declares; nothing of it without a session. */
export const DEPRECATED_CAPABILITIES: JsonObject = Object.fromEntries(
  FEATURES.flatMap(({ capability }) => (capability === undefined ? [] : [[capability, {}]])),
)

const META_CHECKS = FEATURES.flatMap(({ checkMeta }) => (checkMeta === undefined ? [] : [checkMeta]))

/** Throws a `ProtocolError` if a feature cannot read its part in the `_meta` of a request of 2026-07-28. */
export function checkDeprecatedMeta(meta: JsonObject): void {
  for (const check of META_CHECKS) check(meta)
}

const USES: ReadonlyMap<string, DeprecatedFeature> = new Map(
  FEATURES.flatMap((feature) =>
    [feature.question?.[0], feature.emission?.[0]].flatMap((use) =>
      use === undefined ? [] : [[use, feature] as const],
    ),
  ),
)

/**
 * Warns, once per process and feature, if what a handler does towards a client of 2026-07-28 is deprecated. `use` is
 * the method of its question or the type of its emission.
 */
export function warnOfUse(use: string): void {
  const feature = USES.get(use)
  if (feature === undefined) return
  const { name, instead } = feature
  warnOfDeprecated(
    `MCP_DEPRECATED_${name.toUpperCase()}`,
    `The MCP feature "${name}" is deprecated since 2026-07-28 and may go from 2027-07-28 on. Instead, ${instead}.`,
  )
}

function partsOf<Part>(
  part: (feature: DeprecatedFeature) => readonly [string, Part] | undefined,
): ReadonlyMap<string, Part> {
  const parts = FEATURES.map(part)
  return new Map(parts.filter((each) => each !== undefined))
}
