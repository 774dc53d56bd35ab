import type { Check } from '../../check.ts'
import { sessionHijack } from '../auth/server-tokens.ts'
import { big, contentType, methods, slow } from './http-requests.ts'
import {
  badListItem,
  clientFuzz,
  concurrency,
  errorSecrets,
  headerInjection,
  kill,
  serverFuzz,
} from './robustness.ts'

/** The checks of the area `neg`. */
export const NEG_CHECKS: readonly Check[] = [
  serverFuzz,
  clientFuzz,
  badListItem,
  methods,
  contentType,
  slow,
  big,
  headerInjection,
  concurrency,
  errorSecrets,
  kill,
  sessionHijack,
]
