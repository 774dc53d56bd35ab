import type { Check } from '../../check.ts'
import {
  getPrompts,
  missingArgument,
  promptInjection,
  promptsCapability,
  unknownPrompt,
} from './server-prompts.ts'

/** The checks of the area `prompts`. */
export const PROMPTS_CHECKS: readonly Check[] = [
  promptsCapability,
  unknownPrompt,
  missingArgument,
  promptInjection,
  getPrompts,
]
