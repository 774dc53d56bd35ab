import type { JsonObject, JsonSchema } from '../protocol/json.ts'
import type { Parsed } from '../protocol/parsed.ts'
import { CHECK_MS, checkInWorker } from '../schema-checks/check-in-worker.ts'

/** Whether a tool's input schema accepts a value, or why that cannot be known. */
export async function isValidInput(schema: JsonSchema, value: JsonObject): Promise<Parsed<boolean>> {
  const { $schema: dialect } = schema
  const isOld = typeof dialect === 'string' && /draft-0[4-7]/.test(dialect)
  const outcome = await checkInWorker({
    dialect: isOld ? 'draft-07' : '2020-12',
    schema,
    value,
    allFaults: false,
  })
  switch (outcome.type) {
    case 'checked':
      return { ok: true, value: outcome.faults.length === 0 }
    case 'unusable':
      return { ok: false, reason: `the input schema cannot be used: ${outcome.reason}` }
    case 'out-of-time':
      return {
        ok: false,
        reason: `checking a value against the input schema took longer than ${CHECK_MS} ms`,
      }
  }
}
