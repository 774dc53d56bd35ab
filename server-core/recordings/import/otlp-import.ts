import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import {
  counted,
  firstText,
  importedMessage,
  parsedJson,
  type ImportedFrame,
  type ImportedTraffic,
} from './imported-traffic.ts'

const NANOS = 1_000_000n
const INTERNAL_ERROR = -32_603

const attributesSchema = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({
        stringValue: z.string().optional(),
        intValue: z.union([z.string(), z.number()]).optional(),
        boolValue: z.boolean().optional(),
        doubleValue: z.number().optional(),
      }),
    }),
  )
  .default([])
const nanos = z
  .union([z.string().regex(/^\d{1,20}$/), z.int().min(0)])
  .transform((value) => Number(BigInt(value) / NANOS))
const spanSchema = z.object({
  name: z.string().default(''),
  kind: z.union([z.int(), z.string()]).optional(),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes: attributesSchema,
  status: z
    .object({ code: z.union([z.int(), z.string()]).optional(), message: z.string().optional() })
    .optional(),
})
const otlpSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }).optional(),
      scopeSpans: z.array(z.object({ spans: z.array(z.unknown()).default([]) })).default([]),
    }),
  ),
})

/** Whether a parsed file looks like OTLP/JSON with spans. */
export function isOtlp(value: unknown): boolean {
  return otlpSchema.safeParse(value).success
}

/** Makes calls of the spans of MCP in OTLP/JSON: what their attributes say. */
export function importOtlp(value: unknown): ImportedTraffic {
  const frames: ImportedFrame[] = []
  let [others, broken, id] = [0, 0, 0]
  for (const { resource, scopeSpans } of otlpSchema.parse(value).resourceSpans) {
    const service = valuesOf(resource?.attributes ?? [])['service.name']
    for (const each of scopeSpans.flatMap(({ spans }) => spans)) {
      const span = spanSchema.safeParse(each)
      if (!span.success) {
        broken += 1
        continue
      }
      const values = valuesOf(span.data.attributes)
      const method = values['mcp.method.name']
      if (typeof method !== 'string') {
        others += 1
        continue
      }
      id += 1
      const place = {
        serverName: firstText(values['server.address'], service) ?? 'spans',
        transport: 'memory',
      } as const
      const request = { jsonrpc: '2.0', id, method, params: paramsOf(values) }
      frames.push({
        ...place,
        at: span.data.startTimeUnixNano,
        frame: importedMessage('sent', json(request)),
      })
      const answer = { jsonrpc: '2.0', id, ...answerOf(values, span.data.status) }
      frames.push({
        ...place,
        at: span.data.endTimeUnixNano,
        frame: importedMessage('received', json(answer)),
      })
    }
  }
  return {
    frames,
    notes: [
      ...(broken > 0 ? [`${counted(broken, 'span', 'spans')} cannot be read`] : []),
      ...(others > 0 ? [`${counted(others, 'span', 'spans')} without mcp.method.name left out`] : []),
      'spans have no messages: parameters and results are what attributes say of them, and ids are new',
    ],
  }
}

function paramsOf(values: JsonObject): JsonObject {
  const args = parsedJson(firstText(values['gen_ai.tool.call.arguments']) ?? '')
  const name = values['gen_ai.tool.name'] ?? values['gen_ai.prompt.name']
  const uri = values['mcp.resource.uri']
  return {
    ...(name !== undefined && { name }),
    ...(uri !== undefined && { uri }),
    ...(isJsonObject(args) && { arguments: args }),
  }
}

function answerOf(values: JsonObject, status: z.infer<typeof spanSchema>['status']): JsonObject {
  const type = values['error.type']
  const isError = type !== undefined || status?.code === 2 || status?.code === 'STATUS_CODE_ERROR'
  const result = parsedJson(firstText(values['gen_ai.tool.call.result']) ?? '')
  if (isJsonObject(result)) return { result }
  if (type === 'tool_error') return { result: { content: [], isError: true } }
  if (!isError) return { result: {} }
  const code = Number(values['rpc.response.status_code'] ?? type)
  return {
    error: {
      code: Number.isInteger(code) ? code : INTERNAL_ERROR,
      message: status?.message ?? firstText(type) ?? 'error',
    },
  }
}

function valuesOf(attributes: z.infer<typeof attributesSchema>): JsonObject {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.boolValue ?? value.doubleValue,
    ]),
  )
}

function json(message: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(message))
}
