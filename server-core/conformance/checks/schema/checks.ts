import type { Check } from '../../check.ts'
import { wrongEraFields } from './eras.ts'
import { clientMessages, serverMessages } from './messages.ts'
import { values } from './values.ts'

/** The checks of the area `schema`. */
export const SCHEMA_CHECKS: readonly Check[] = [serverMessages, clientMessages, wrongEraFields, values]
