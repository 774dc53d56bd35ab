import { isJsonObject } from '../json.ts'
import { samplingFaults } from '../sampling-rules.ts'
import { namesSecret } from '../secret-names.ts'
import type { Path } from '../wire/path.ts'
import type { Check } from './object-rules.ts'
import { nameOf, type LintReport } from './report.ts'

/** Hosts to which plain http does not leave the machine. */
const LOCAL = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Reports a question that the client has not said it can answer, as far as that is known. */
function needs(capability: string, at: Path, report: LintReport): void {
  const { clientCapabilities, direction } = report.options
  if (clientCapabilities === undefined || direction === 'client-to-server') return
  let declared: unknown = clientCapabilities
  for (const step of capability.split('.')) declared = isJsonObject(declared) ? declared[step] : undefined
  // An empty elicitation capability means forms.
  const elicitation = clientCapabilities['elicitation']
  const meansForms = isJsonObject(elicitation) && Object.keys(elicitation).length === 0
  if (isJsonObject(declared) || (capability === 'elicitation.form' && meansForms)) return
  report.add('client-capability', at, `The client has not declared ${capability}.`)
}

const sampling: Check = ({ messages, includeContext, tools, toolChoice }, at, report) => {
  needs('sampling', at, report)
  if (tools !== undefined) needs('sampling.tools', [...at, 'tools'], report)
  if (toolChoice !== undefined) needs('sampling.tools', [...at, 'toolChoice'], report)
  if (Array.isArray(messages)) {
    for (const { path, message } of samplingFaults(messages)) {
      const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
      report.add('tool-results', [...at, 'messages', ...path], sentence)
    }
  }
  if (includeContext === 'thisServer' || includeContext === 'allServers') {
    report.add('sampling-context', [...at, 'includeContext'], `${nameOf(includeContext)} is deprecated.`)
  }
}

const roots: Check = (_value, at, report) => {
  needs('roots', at, report)
}

const form: Check = ({ requestedSchema, message }, at, report) => {
  needs(report.row.elicitationModes.length > 1 ? 'elicitation.form' : 'elicitation', at, report)
  if (typeof message === 'string' && /\b(?:password|passphrase|api ?key|credit card)\b/i.test(message)) {
    report.add(
      'form-secret',
      [...at, 'message'],
      'The message asks for a secret, which belongs on a page behind a URL.',
    )
  }
  if (!isJsonObject(requestedSchema) || !isJsonObject(requestedSchema['properties'])) return
  const { properties, required } = requestedSchema
  const path = [...at, 'requestedSchema', 'properties']
  for (const [name, field] of Object.entries(properties)) {
    const title = isJsonObject(field) && typeof field['title'] === 'string' ? field['title'] : ''
    if (namesSecret(`${name} ${title}`)) {
      report.add('form-secret', [...path, name], `The field ${nameOf(name)} asks for a secret.`)
    }
    if (isJsonObject(field)) {
      if (field['type'] === 'object' || isJsonObject(field['properties'])) {
        report.add('form-fields', [...path, name], `The field ${nameOf(name)} is nested; forms are flat.`)
      }
      const { enum: values, enumNames } = field
      if (Array.isArray(enumNames)) {
        const count = Array.isArray(values) ? values.length : 0
        if (enumNames.length !== count) {
          report.add(
            'form-names',
            [...path, name],
            `There are ${enumNames.length} names for ${count} values.`,
          )
        } else if (report.row.choiceForms.includes('titled')) {
          report.add(
            'form-names',
            [...path, name],
            'enumNames is deprecated; oneOf of const and title says the same.',
            'notice',
          )
        }
      }
    }
  }
  if (!Array.isArray(required)) return
  for (const [index, name] of required.entries()) {
    if (typeof name === 'string' && !Object.hasOwn(properties, name)) {
      const place = [...at, 'requestedSchema', 'required', index]
      report.add('form-fields', place, `${nameOf(name)} is required and no field of the form.`)
    }
  }
}

const visit: Check = ({ url }, at, report) => {
  needs('elicitation.url', at, report)
  if (typeof url !== 'string') return
  const parsed = URL.parse(url)
  const isSafe =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && LOCAL.test(parsed.hostname))
  if (!isSafe) report.add('elicitation-url', [...at, 'url'], `${nameOf(url)} is not https URL.`)
  else if (parsed.username !== '' || parsed.password !== '') {
    report.add('elicitation-url', [...at, 'url'], 'The URL carries credentials.')
  }
}

const answer: Check = ({ action, content }, at, report) => {
  if (content !== undefined && (action === 'decline' || action === 'cancel')) {
    report.add(
      'elicitation-answer',
      [...at, 'content'],
      `There is content although the action is ${nameOf(action)}.`,
    )
  }
}

/** Checks of what servers ask their clients, by the definition. */
export const ASKING_CHECKS: Readonly<Record<string, Check>> = {
  CreateMessageRequestParams: sampling,
  ListRootsRequest: roots,
  ElicitRequestFormParams: form,
  ElicitRequestURLParams: visit,
  ElicitResult: answer,
}
