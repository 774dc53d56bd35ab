import type { Check } from '../../check.ts'
import { garbageTolerated, stderrTolerated, supportsStdio } from './client-noise.ts'
import { probeFallback, probeFirst, probeVersionError } from './era-probe.ts'
import { badLine, crlfAndBig, newlineInText, stdinPure, stdoutPure } from './lines.ts'
import { demultiplex, noRequests, noResponses, relisten } from './modern.ts'

/** The checks of the area `stdio`. */
export const STDIO_CHECKS: readonly Check[] = [
  stdoutPure,
  stdinPure,
  crlfAndBig,
  newlineInText,
  badLine,
  stderrTolerated,
  garbageTolerated,
  supportsStdio,
  noResponses,
  noRequests,
  demultiplex,
  relisten,
  probeFirst,
  probeVersionError,
  probeFallback,
]
