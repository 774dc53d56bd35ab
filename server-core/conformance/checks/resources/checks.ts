import type { Check } from '../../check.ts'
import { clientNotFound } from './client-not-found.ts'
import { badUri, internalError, notFound, readResources, resourcesCapability } from './reads.ts'
import { subscribe, updated } from './subscriptions.ts'
import { traversal } from './traversal.ts'

/** The checks of the area `resources`. */
export const RESOURCES_CHECKS: readonly Check[] = [
  resourcesCapability,
  readResources,
  notFound,
  badUri,
  traversal,
  internalError,
  subscribe,
  updated,
  clientNotFound,
]
