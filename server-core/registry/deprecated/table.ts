import type { JsonObject } from '../../protocol/json.ts'
import { isLogEmission, LOGGING_MEMBERS, type LogEmission } from './logging.ts'
import { ROOTS_MEMBERS } from './roots.ts'
import { SAMPLING_MEMBERS } from './sampling.ts'

/** What the features add to a handler's context, each member made when it is looked at. */
export const DEPRECATED_MEMBERS = {
  ...LOGGING_MEMBERS,
  ...ROOTS_MEMBERS,
  ...SAMPLING_MEMBERS,
}

/** The same as its authors see it. */
export type DeprecatedMembers = {
  readonly [Name in keyof typeof DEPRECATED_MEMBERS]: ReturnType<(typeof DEPRECATED_MEMBERS)[Name]>
}

/** What the features add to what a handler sends before its result. */
export type DeprecatedEmission = LogEmission

/** By type, whether the rest of such an emission fits. */
export const DEPRECATED_EMISSIONS: ReadonlyMap<unknown, (emission: JsonObject) => boolean> = new Map([
  ['log', isLogEmission],
])
