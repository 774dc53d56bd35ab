import { isJsonObject, type JsonObject } from '../json.ts'
import { wireSchema } from '../wire/schemas.ts'
import type { LintReport } from './report.ts'

/** The definitions of errors that carry data, by code. */
const WITH_DATA: Readonly<Record<number, string>> = {
  [-32020]: 'HeaderMismatchError',
  [-32021]: 'MissingRequiredClientCapabilityError',
  [-32022]: 'UnsupportedProtocolVersionError',
  [-32042]: 'URLElicitationRequiredError',
}

/** Checks an error answer (Base Protocol: responses, error codes). */
export function checkErrorAnswer(message: JsonObject, report: LintReport): void {
  const { error, id } = message
  if (!isJsonObject(error) || !Number.isInteger(error['code']) || typeof error['message'] !== 'string') {
    report.add('shape', ['error'], 'An error is an object with an integer code and a message.')
    return
  }
  const omits = report.row.unreadableId === 'omitted'
  if (id === null && omits) {
    report.add('error-id', ['id'], 'The id is null; without an id it would say the same.')
  } else if (id === undefined && !omits) {
    report.add(
      'error-id',
      [],
      `${report.row.revision} has an id in every error, null where it could not be read.`,
    )
  }
  const code = Number(error['code'])
  checkCode(code, report)
  const definition = report.row.errorCodes.includes(code) ? WITH_DATA[code] : undefined
  const schema = definition === undefined ? undefined : wireSchema(report.row.revision, definition)
  if (schema?.safeParse({ ...message, id: 0 }).success === false) {
    report.add(
      'error-data',
      ['error', 'data'],
      `The data of an error ${code} is missing or of another shape.`,
    )
  }
  if (code === -32002 && report.row.resourceNotFoundCode === code) {
    const { data } = error
    if (!isJsonObject(data) || typeof data['uri'] !== 'string') {
      report.add(
        'error-data',
        ['error', 'data'],
        'The error should say in data.uri which resource is missing.',
        'warning',
      )
    }
  }
}

function checkCode(code: number, report: LintReport): void {
  const { errorCodes, era, revision } = report.row
  if (errorCodes.includes(code)) return
  const path = ['error', 'code']
  if (code === -32002) {
    report.add('error-code', path, `${revision} tells a missing resource by -32602, not by -32002.`)
  } else if (code === -32042) {
    report.add(
      'error-code',
      path,
      `${revision} has no error -32042; only 2025-11-25 asks for a URL by an error.`,
    )
  } else if (code >= -32768 && code < -32099) {
    report.add('error-code', path, `The code ${code} is reserved by JSON-RPC and has no meaning.`)
  } else if (code >= -32099 && code <= -32020 && era === 'modern') {
    report.add('error-code', path, `The code ${code} is reserved by the specification and has no meaning.`)
  } else if (code > -32020 && code <= -32000 && era === 'modern') {
    report.add('error-code', path, `Peers share no meaning of the code ${code}.`, 'warning')
  }
}
