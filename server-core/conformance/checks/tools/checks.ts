import type { Check } from '../../check.ts'
import { access, collision } from './access.ts'
import { validatesArguments } from './arguments.ts'
import { executionError, outputSchema, toolNameCase, toolsCapability, unknownTool } from './calls.ts'
import { resultKinds, schemaWhole, validatesStructured } from './client-results.ts'
import { rateLimit } from './flood.ts'
import { contentBlocks, embeddedCapability, structuredText, toolNames } from './frames.ts'

/** The checks of the area `tools`. */
export const TOOLS_CHECKS: readonly Check[] = [
  toolsCapability,
  toolNames,
  toolNameCase,
  unknownTool,
  validatesArguments,
  executionError,
  contentBlocks,
  outputSchema,
  structuredText,
  embeddedCapability,
  rateLimit,
  resultKinds,
  validatesStructured,
  schemaWhole,
  access,
  collision,
]
