import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { checkInWorker } from '../../../schema-checks/check-in-worker.ts'
import type { CheckDialect } from '../../../schema-checks/messages.ts'
import { serverCheck } from '../../check.ts'
import { shortJson } from '../../probe/outcome.ts'

const MAX_PAGES = 20

/** The dialects under which a schema may be read; none for a dialect that we do not know. */
function dialectsOf(schema: JsonObject, revision: string): readonly CheckDialect[] {
  const declared = schema['$schema']
  if (declared === undefined) return revision < '2025-11-25' ? ['draft-07', '2020-12'] : ['2020-12']
  if (typeof declared !== 'string') return []
  if (/2020-12/.test(declared)) return ['2020-12']
  if (/2019-09/.test(declared)) return ['2019-09']
  return /draft-0[4-7]/.test(declared) ? ['draft-07'] : []
}

/** Why no dialect takes a schema; undefined if one does, or if only a reference is missing. */
async function faultOf(schema: JsonObject, revision: string): Promise<string | undefined> {
  const reasons: string[] = []
  for (const dialect of dialectsOf(schema, revision)) {
    const outcome = await checkInWorker({ dialect, schema, value: {}, allFaults: false })
    if (outcome.type !== 'unusable') return undefined
    // References to other documents are left alone.
    if (/resolve reference|unknown format/i.test(outcome.reason)) return undefined
    reasons.push(outcome.reason)
  }
  return reasons[0]
}

export const published = serverCheck(
  'json-schema.published',
  async (probe) => {
    probe.requireCapability('tools')
    const connection = await probe.connect()
    let cursor: unknown
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const outcome = await connection.call('tools/list', cursor === undefined ? {} : { cursor })
      if (outcome.type !== 'result') return probe.inconclusive('tools/list was not answered by a result')
      const { tools, nextCursor } = outcome.result
      for (const [index, tool] of (Array.isArray(tools) ? (tools as unknown[]) : []).entries()) {
        if (!isJsonObject(tool)) continue
        for (const member of ['inputSchema', 'outputSchema'] as const) {
          const schema = tool[member]
          if (schema === undefined && (member === 'outputSchema' || !('inputSchema' in tool))) continue
          const where = {
            member: `/result/tools/${index}/${member}`,
            frame: outcome.frame,
          }
          const name = `${member} of ${shortJson(tool['name'])}`
          if (!isJsonObject(schema)) {
            probe.fail({
              expected: `an object as ${name}`,
              actual: shortJson(schema),
              statement: 'tools.input-schema-object',
              ...where,
            })
            continue
          }
          const needsObject = member === 'inputSchema' || probe.cell.revision < '2026-07-28'
          if (needsObject && schema['type'] !== 'object')
            probe.fail({
              expected: `the type "object" at the root of ${name}`,
              actual: shortJson(schema['type']),
              statement:
                member === 'inputSchema'
                  ? 'tools.input-schema-root-object'
                  : 'tools.output-schema-root-object',
              ...where,
            })
          const reason = await faultOf(schema, probe.cell.revision)
          if (reason !== undefined)
            probe.fail({
              expected: `${name} that is valid`,
              actual: reason,
              statement: 'json-schema.published-valid',
              ...where,
            })
        }
      }
      if (typeof nextCursor !== 'string') return
      cursor = nextCursor
    }
  },
  { title: 'Published schemas are valid' },
)
