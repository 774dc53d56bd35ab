import type { JsonObject, JsonSchema } from '../protocol/json.ts'
import { CHECK_MS, checkInWorker } from '../schema-checks/check-in-worker.ts'
import type { CheckDialect, CheckFault } from '../schema-checks/messages.ts'

/** How a structured result stands to the output schema of its tool, as data. */
export type OutputCheck =
  /** Nothing to check: no schema, an error, or a question to the client. */
  | { state: 'no-schema' }
  | { state: 'matches' }
  | { state: 'differs'; findings: { path: string; message: string }[] }
  | { state: 'not-checked'; reason: string }

/**
 * Checks structured results of tools against the output schemas that their servers declare (tools: output schema). Schemas
 * are a peer's text: nothing is fetched, and compiling and checking run in a Worker that ends after 250 ms.
 */
export class OutputChecker {
  /** How a result stands to the schema of the tool that was called. Never throws. */
  async check(schema: JsonSchema | boolean | undefined, result: JsonObject): Promise<OutputCheck> {
    // Neither an error nor a question to the client, nor a task, is what the schema describes.
    const isOutput = result['isError'] !== true && (result['resultType'] ?? 'complete') === 'complete'
    if (schema === undefined || !isOutput) return { state: 'no-schema' }
    if (!('structuredContent' in result)) {
      const message = 'the tool declares an output schema, and the result has no "structuredContent"'
      return { state: 'differs', findings: [{ path: '', message }] }
    }
    if (typeof schema === 'boolean') {
      if (schema) return { state: 'matches' }
      return { state: 'differs', findings: [{ path: '', message: 'the output schema allows nothing' }] }
    }
    const request = {
      dialect: dialectOf(schema),
      schema,
      value: result['structuredContent'],
      allFaults: true,
    }
    const outcome = await checkInWorker(request)
    switch (outcome.type) {
      case 'out-of-time':
        return { state: 'not-checked', reason: `Checking took longer than ${CHECK_MS} ms and was stopped.` }
      case 'unusable':
        return { state: 'not-checked', reason: `The output schema cannot be used: ${outcome.reason}` }
      case 'checked':
        if (outcome.faults.length === 0) return { state: 'matches' }
        return { state: 'differs', findings: outcome.faults.map(finding) }
    }
  }
}

/** The dialects that are in use; 2020-12 where none is named, and of those that we do not know the nearest. */
function dialectOf(schema: JsonSchema): CheckDialect {
  const declared = schema['$schema']
  return typeof declared === 'string' && /draft-0[4-7]/.test(declared) ? 'draft-07' : '2020-12'
}

function finding(error: CheckFault): { path: string; message: string } {
  const extra =
    error.keyword === 'additionalProperties' ? ` ("${String(error.params['additionalProperty'])}")` : ''
  return { path: error.instancePath, message: `${error.message ?? `breaks "${error.keyword}"`}${extra}` }
}
