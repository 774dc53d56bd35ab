import type { Check } from '../../check.ts'
import {
  bombClient,
  draft2020Client,
  refCanaryClient,
  refGuards,
  unknownDialectClient,
} from './client-schemas.ts'
import { published } from './published.ts'
import { bombServer, draft2020, refCanaryServer, unknownDialectServer } from './server-dialects.ts'

/** The checks of the area `json-schema`. */
export const JSON_SCHEMA_CHECKS: readonly Check[] = [
  published,
  draft2020,
  draft2020Client,
  unknownDialectServer,
  unknownDialectClient,
  refCanaryServer,
  refCanaryClient,
  refGuards,
  bombServer,
  bombClient,
]
