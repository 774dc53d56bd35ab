import { headerParametersOf } from '../header-parameters.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { TextFormat } from '../wire/shape.ts'
import type { Path } from '../wire/path.ts'
import { nameOf, type LintReport } from './report.ts'

export type Check = (value: JsonObject, at: Path, report: LintReport) => void

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const DIALECT_2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/
const KNOWN_DIALECTS =
  /^https?:\/\/json-schema\.org\/(?:draft-0[467]|draft\/2019-09|draft\/2020-12)\/schema#?$/
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
const NETWORK = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i

/** Looks at a text of which the specification says what it is. */
export function checkText(format: TextFormat, text: string, at: Path, report: LintReport): void {
  switch (format) {
    case 'base64':
      if (!BASE64.test(text))
        report.add('base64', at, `${nameOf(text)} is not a standard base64 with padding.`)
      break
    case 'uri':
      if (!URL.canParse(text)) report.add('uri', at, `${nameOf(text)} is not an absolute URI.`)
      break
    case 'uri-template':
      if (/[{}\s]/.test(text.replace(/\{[^{}\s]+\}/g, ''))) {
        report.add('uri', at, `${nameOf(text)} has white space or a brace without its partner.`)
      }
  }
}

const tool: Check = (value, at, report) => {
  const { name } = value
  if (typeof name === 'string' && !TOOL_NAME.test(name)) {
    report.add(
      'tool-name',
      [...at, 'name'],
      `${nameOf(name)} has characters or a length that some peers refuse.`,
    )
  }
  for (const member of ['inputSchema', 'outputSchema']) {
    const schema = value[member]
    if (isJsonObject(schema)) checkSchema(schema, [...at, member], report)
  }
  const { inputSchema } = value
  const headers = isJsonObject(inputSchema) ? headerParametersOf(inputSchema) : undefined
  if (headers?.ok === false) {
    report.add('parameter-header', [...at, 'inputSchema'], `Clients leave this tool out: ${headers.reason}.`)
  }
}

function checkSchema(schema: JsonObject, at: Path, report: LintReport): void {
  const dialect = schema['$schema']
  if (typeof dialect === 'string' && !DIALECT_2020.test(dialect)) {
    const path = [...at, '$schema']
    if (KNOWN_DIALECTS.test(dialect)) {
      report.add(
        'schema-dialect',
        path,
        `${nameOf(dialect)} is older than 2020-12, which peers must know.`,
        'notice',
      )
    } else {
      report.add('schema-dialect', path, `${nameOf(dialect)} is a dialect that peers need not know.`)
    }
  }
  reportReferences(schema, at, report)
}

function reportReferences(value: unknown, at: Path, report: LintReport): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) reportReferences(item, [...at, index], report)
    return
  }
  if (!isJsonObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    const path = [...at, key]
    const isReference = key === '$ref' || key === '$dynamicRef'
    if (isReference && typeof member === 'string' && NETWORK.test(member)) {
      report.add('schema-reference', path, `${nameOf(member)} lies outside of the schema and is not fetched.`)
    }
    if (key !== 'const' && key !== 'enum' && key !== 'default' && key !== 'examples') {
      reportReferences(member, path, report)
    }
  }
}

const icon: Check = ({ src }, at, report) => {
  if (typeof src === 'string' && !/^(?:https|data):/i.test(src)) {
    report.add('icon-source', [...at, 'src'], `${nameOf(src)} is neither an https nor a data URL.`)
  }
}

const annotations: Check = ({ lastModified }, at, report) => {
  if (typeof lastModified === 'string' && !ISO_TIME.test(lastModified)) {
    report.add('timestamp', [...at, 'lastModified'], `${nameOf(lastModified)} is not a time of ISO 8601.`)
  }
}

const root: Check = ({ uri }, at, report) => {
  if (typeof uri === 'string' && !/^file:\/\//i.test(uri)) {
    report.add('root-uri', [...at, 'uri'], `${nameOf(uri)} is not a file:// URI.`)
  }
}

const completion: Check = (value, at, report) => {
  const found = isJsonObject(value['completion']) ? value['completion']['values'] : undefined
  if (Array.isArray(found) && found.length > 100) {
    const path = [...at, 'completion', 'values']
    report.add(
      'completion-limit',
      path,
      `There are ${found.length} values; expected at most 100 and hasMore.`,
    )
  }
}

const calledTool: Check = ({ content, structuredContent }, at, report) => {
  if (structuredContent === undefined || !Array.isArray(content)) return
  if (!content.some((block) => isJsonObject(block) && block['type'] === 'text')) {
    report.add(
      'structured-text',
      [...at, 'content'],
      'There is structured content and no text block that says the same.',
    )
  }
}

const readResource: Check = ({ contents }, at, report) => {
  if (Array.isArray(contents) && contents.length === 0) {
    report.add(
      'missing-resource',
      [...at, 'contents'],
      'There are no contents; a missing resource is an error.',
    )
  }
}

const progress: Check = ({ progress: done, total }, at, report) => {
  if (typeof done === 'number' && (done < 0 || (typeof total === 'number' && done > total))) {
    report.add('progress-total', [...at, 'progress'], `Progress is ${done} of ${nameOf(total)}.`)
  }
}

/** Reports what is listed a second time under the same key. */
const once =
  (member: string, key: string): Check =>
  (value, at, report) => {
    const items = value[member]
    if (!Array.isArray(items)) return
    const seen = new Set<unknown>()
    for (const [index, item] of items.entries()) {
      const name: unknown = isJsonObject(item) ? item[key] : undefined
      if (typeof name !== 'string') continue
      if (seen.has(name))
        report.add('listed-twice', [...at, member, index], `${nameOf(name)} is in the list already.`)
      seen.add(name)
    }
  }

/** Checks of objects by the definition they fit. */
export const OBJECT_CHECKS: Readonly<Record<string, Check>> = {
  Tool: tool,
  Icon: icon,
  ContentAnnotations: annotations,
  Root: root,
  CompleteResult: completion,
  CallToolResult: calledTool,
  ReadResourceResult: readResource,
  ListToolsResult: once('tools', 'name'),
  ListPromptsResult: once('prompts', 'name'),
  ListResourcesResult: once('resources', 'uri'),
  ListResourceTemplatesResult: once('resourceTemplates', 'uriTemplate'),
}

/** Checks the params of `notifications/progress`. */
export const checkProgress: Check = progress
