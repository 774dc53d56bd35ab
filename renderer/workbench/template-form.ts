import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import {
  compileUriTemplate,
  UriTemplateError,
  type UriTemplate,
} from '../../server-core/protocol/uri-template.ts'
import type { Request } from './use-call.ts'
import { workbenchText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

type TemplateForm = {
  /** The variables as a JSON Schema. */
  readonly schema: JsonObject
  /** The request that reads the resource of these variables, or what is missing. */
  readonly request: (variablesText: string) => Parsed<Request>
}

/** Fields for the variables of a URI template; one for the whole URI if the template uses more than we expand. */
export function templateForm(uriTemplate: string): TemplateForm {
  let template: UriTemplate
  try {
    template = compileUriTemplate(uriTemplate)
  } catch (error) {
    return wholeUri(uriTemplate, messageOf(error))
  }
  const properties = template.variables.map(({ name, form }): [string, JsonObject] => [
    name,
    form === 'list' ? { type: 'array', items: { type: 'string' }, minItems: 1 } : { type: 'string' },
  ])
  const required = template.variables.filter(({ form }) => form !== 'query').map(({ name }) => name)
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required,
      additionalProperties: false,
    },
    request: (text) => {
      try {
        return { ok: true, value: read(template.expand(textValues(JSON.parse(text)))) }
      } catch (error) {
        if (error instanceof UriTemplateError) return { ok: false, reason: error.message }
        throw error
      }
    },
  }
}

function wholeUri(uriTemplate: string, reason: string): TemplateForm {
  const uri = { type: 'string', format: 'uri', default: uriTemplate, description: reason }
  return {
    schema: { type: 'object', properties: { uri }, required: ['uri'] },
    request: (text) => {
      const value: unknown = JSON.parse(text)
      const typed = isJsonObject(value) ? value['uri'] : undefined
      return typeof typed === 'string' && typed !== ''
        ? { ok: true, value: read(typed) }
        : { ok: false, reason: workbenchText.templateForm.uriMissing }
    },
  }
}

function read(uri: string): Request {
  return { method: 'resources/read', paramsText: JSON.stringify({ uri }) }
}

function textValues(value: unknown): Record<string, string | readonly string[]> {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Array.isArray(member) ? member.map(asText) : asText(member),
    ]),
  )
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
