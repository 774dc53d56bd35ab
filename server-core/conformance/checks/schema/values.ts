import { isJsonObject } from '../../../protocol/json.ts'
import { walkWire } from '../../../protocol/wire/walk.ts'
import { passiveCheck } from '../../check.ts'
import { shortJson } from '../../probe/outcome.ts'
import { messageRoot } from './message-root.ts'
import { isOfRequest, isText } from './messages.ts'

type Report = (statement: string, member: string, expected: string, actual: unknown) => void

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const ICON_SIZE = /^(any|\d+x\d+)$/
const RESOURCE_MEMBERS: ReadonlySet<unknown> = new Set(['uri', 'uriTemplate'])
const ROLES: readonly unknown[] = ['user', 'assistant']

function judgeAnnotations(value: unknown, report: Report): void {
  if (!isJsonObject(value)) return
  const { priority, audience, lastModified } = value
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1))
    report('schema.annotations.priority-range', 'priority', 'a number from 0 to 1', priority)
  if (Array.isArray(audience) && (audience as unknown[]).some((each) => !ROLES.includes(each)))
    report('schema.annotations.audience', 'audience', 'user and assistant alone', audience)
  if (lastModified !== undefined && !(typeof lastModified === 'string' && ISO_TIME.test(lastModified)))
    report('schema.annotations.last-modified', 'lastModified', 'an ISO 8601 time', lastModified)
}

function judgeIcon(value: unknown, report: Report): void {
  if (!isJsonObject(value)) return
  const { sizes, theme } = value
  const isSize = (size: unknown) => typeof size === 'string' && ICON_SIZE.test(size)
  if (sizes !== undefined && !(Array.isArray(sizes) && (sizes as unknown[]).every(isSize)))
    report('schema.icon.sizes', 'sizes', 'sizes such as 48x48 or any', sizes)
  if (theme !== undefined && theme !== 'light' && theme !== 'dark')
    report('schema.icon.sizes', 'theme', 'light or dark', theme)
}

export const values = passiveCheck(
  'schema.values',
  (transcript) => {
    for (const { message, frame, pointer, answers, revision } of transcript.examined()) {
      const root = messageRoot(message, answers?.message, revision)
      if (root === undefined) continue
      walkWire(revision, root.definition, root.value, root.path, {
        definition: (name, value, path) => {
          const report: Report = (statement, member, expected, actual) => {
            transcript.fail({
              expected,
              actual: shortJson(actual),
              statement,
              member: [pointer, ...path, ...(member === '' ? [] : [member])].map(String).join('/'),
              frame,
              ...(statement === 'schema.annotations.last-modified' && { severity: 'warning' as const }),
            })
          }
          if (name === 'ContentAnnotations') judgeAnnotations(value, report)
          else if (name === 'Icon') judgeIcon(value, report)
          else if (name === 'Role' && !ROLES.includes(value))
            report('schema.role-values', '', 'user or assistant', value)
        },
        text: (format, text, path) => {
          // Addresses of icons and web sites are a matter of the schema: the statements here are those of resources.
          if (format === 'base64' || !RESOURCE_MEMBERS.has(path.at(-1)) || isText(format, text)) return
          if (isOfRequest(text, answers?.message)) return
          transcript.fail({
            expected: format === 'uri' ? 'a URI (RFC 3986)' : 'a URI template (RFC 6570)',
            actual: shortJson(text),
            statement:
              format === 'uri' ? 'resources.custom-scheme-rfc3986' : 'schema.resource-template.rfc6570',
            member: [pointer, ...path].map(String).join('/'),
            frame,
          })
        },
        stray: () => undefined,
        unknown: () => undefined,
        meta: () => undefined,
      })
    }
  },
  { title: 'Roles, annotations, icons and URIs have their values' },
)
