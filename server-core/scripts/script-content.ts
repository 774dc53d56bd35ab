import { isJsonObject } from '../protocol/json.ts'
import { isDefinitions } from '../registry/port/definitions.ts'
import { parsePlace } from './channel-parsers.ts'
import type { ConfigContent, ScriptContent } from './channel.ts'

/** Reads what a script serves; undefined if it is invalid. */
export function parseContent(value: unknown): ScriptContent | undefined {
  if (!isJsonObject(value)) return undefined
  const { definitions, config } = value
  if (!isDefinitions(definitions)) return undefined
  if (config === undefined) return { definitions }
  const parsed = parseConfig(config)
  return parsed === undefined ? undefined : { definitions, config: parsed }
}

function parseConfig(value: unknown): ConfigContent | undefined {
  if (!isJsonObject(value)) return undefined
  const { data, at } = value
  if (at === undefined) return { data }
  const place = parsePlace(at)
  return place === undefined ? undefined : { data, at: place }
}
