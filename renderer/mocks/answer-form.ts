import type { Answer } from '../../server-core/host/contract/mocks.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { isSchema } from './schema-edit.ts'
import { mocksText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

/** An answer while it is typed: each kind keeps what was typed for it. */
export interface AnswerForm {
  readonly kind: Answer['kind']
  readonly fixed: string
  readonly template: string
  readonly file: string
  readonly code: string
  readonly errorCode: string
  readonly errorMessage: string
  readonly errorData: string
  readonly delayMs: string
  readonly timeoutMs: string
}

export const ANSWER_NAMES: Readonly<Record<Answer['kind'], string>> = {
  fixed: mocksText.answerForm.fixedResult,
  template: mocksText.answerForm.template,
  script: mocksText.answerForm.workspaceFile,
  code: mocksText.answerForm.script,
  error: mocksText.answerForm.jsonRPCError,
}

const CODE =
  "export default ({ arguments: args }) => ({\n  content: [{ type: 'text', text: `Hello ${args.name}` }],\n})\n"

/** What a form of that kind of entry begins with. */
export function blankAnswer(entry: 'tool' | 'resource' | 'template' | 'prompt'): AnswerForm {
  const results = {
    tool: { content: [{ type: 'text', text: 'Hello' }] },
    resource: { text: 'Hello' },
    template: { text: 'This is {{uri}}' },
    prompt: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] },
  }
  const result = JSON.stringify(results[entry], undefined, 2)
  return {
    kind: entry === 'template' ? 'template' : 'fixed',
    fixed: result,
    template: result,
    file: '',
    code: CODE,
    errorCode: '-32603',
    errorMessage: mocksText.answerForm.sampleErrorMessage,
    errorData: '',
    delayMs: '',
    timeoutMs: '',
  }
}

/** The form of an answer; the other kinds begin as `blank` says. */
export function answerForm(answer: Answer, blank: AnswerForm): AnswerForm {
  const { kind, delayMs } = answer
  const shared = { ...blank, kind, delayMs: delayMs === undefined ? '' : String(delayMs) }
  const timeoutMs =
    'timeoutMs' in answer && typeof answer.timeoutMs === 'number' ? String(answer.timeoutMs) : ''
  switch (answer.kind) {
    case 'fixed': {
      const text = JSON.stringify(answer.result, undefined, 2)
      return { ...shared, fixed: text, template: text }
    }
    case 'template': {
      const text = JSON.stringify(answer.template, undefined, 2)
      return { ...shared, template: text, fixed: text }
    }
    case 'script':
      return { ...shared, file: answer.file, timeoutMs }
    case 'code':
      return { ...shared, code: answer.code, timeoutMs }
    case 'error':
      return {
        ...shared,
        errorCode: String(answer.code),
        errorMessage: answer.message,
        errorData: answer.data === undefined ? '' : JSON.stringify(answer.data, undefined, 2),
      }
  }
}

/** The answer that a form says, or what is still wrong with it. */
export function answerOf(form: AnswerForm): Parsed<Answer> {
  const delayMs = milliseconds(form.delayMs, mocksText.answerForm.theDelay)
  if (!delayMs.ok) return delayMs
  const timeoutMs = milliseconds(form.timeoutMs, mocksText.answerForm.theTimeLimit)
  if (!timeoutMs.ok) return timeoutMs
  const delay = delayMs.value === undefined ? {} : { delayMs: delayMs.value }
  const limit = timeoutMs.value === undefined ? {} : { timeoutMs: timeoutMs.value }
  switch (form.kind) {
    case 'fixed': {
      const result = jsonObject(form.fixed, mocksText.answerForm.theResult)
      return result.ok ? { ok: true, value: { kind: 'fixed', result: result.value, ...delay } } : result
    }
    case 'template': {
      const template = jsonObject(form.template, mocksText.answerForm.theTemplate)
      return template.ok
        ? { ok: true, value: { kind: 'template', template: template.value, ...delay } }
        : template
    }
    case 'script':
      if (form.file.trim() === '') return { ok: false, reason: mocksText.answerForm.fileMissing }
      return { ok: true, value: { kind: 'script', file: form.file.trim(), ...limit, ...delay } }
    case 'code':
      if (form.code.trim() === '') return { ok: false, reason: mocksText.answerForm.scriptMissing }
      return { ok: true, value: { kind: 'code', code: form.code, ...limit, ...delay } }
    case 'error': {
      const code = Number(form.errorCode)
      if (form.errorCode.trim() === '' || !Number.isInteger(code))
        return { ok: false, reason: mocksText.answerForm.invalidErrorCode }
      const data =
        form.errorData.trim() === '' ? undefined : json(form.errorData, mocksText.answerForm.theData)
      if (data?.ok === false) return data
      const more = data === undefined ? {} : { data: data.value }
      return { ok: true, value: { kind: 'error', code, message: form.errorMessage, ...more, ...delay } }
    }
  }
}

function json(text: string, what: string): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    const reason = messageOf(error)
    return { ok: false, reason: `${what} is not valid JSON: ${reason}` }
  }
}

/** The object in a text, or the reason why it is invalid. */
export function jsonObject(text: string, what: string): Parsed<Record<string, unknown>> {
  const read = json(text, what)
  if (!read.ok) return read
  return isSchema(read.value)
    ? { ok: true, value: { ...read.value } }
    : { ok: false, reason: mocksText.answerForm.notAnObject(what) }
}

function milliseconds(text: string, what: string): Parsed<number | undefined> {
  if (text.trim() === '') return { ok: true, value: undefined }
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0 && value <= 600_000) return { ok: true, value }
  return { ok: false, reason: mocksText.answerForm.invalidMilliseconds(what) }
}
