import type { ResponderRule, RuleKind } from '../../server-core/host/contract/responders.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import type { QuestionKind } from './entry-words.ts'
import { inboxText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

/** A rule while it is edited: every field keeps what was typed, whichever kind of rule is chosen. */
export type RuleForm = {
  /** Not set: what is set for all servers holds, or what is built in. */
  readonly kind: RuleKind | 'unset'
  readonly fixed: string
  readonly template: string
  readonly file: string
  readonly endpointId: string
  readonly model: string
  readonly maxTokens: string
  readonly seconds: string
  readonly then: RuleForm | undefined
  /** An answer is shown to a person before it goes out. */
  readonly review: boolean
}

const FIXED: Readonly<Record<QuestionKind, JsonObject>> = {
  sampling: {
    role: 'assistant',
    content: { type: 'text', text: 'No.' },
    model: 'fixed',
    stopReason: 'endTurn',
  },
  'elicitation-form': { action: 'accept', content: {} },
  'elicitation-url': { action: 'accept' },
  roots: { roots: [] },
}

const TEMPLATE: Readonly<Record<QuestionKind, JsonObject>> = {
  ...FIXED,
  sampling: {
    role: 'assistant',
    content: {
      type: 'text',
      text: 'You said: {{params.messages.-1.content.text | "something else than text"}}',
    },
    model: 'template',
    stopReason: 'endTurn',
  },
}

const print = (value: JsonObject): string => JSON.stringify(value, null, 2)

/** A form for a rule, or for none; what another kind of rule needs is filled in to begin with. */
export function ruleForm(question: QuestionKind, rule: ResponderRule | undefined): RuleForm {
  const empty: RuleForm = {
    kind: rule?.kind ?? 'unset',
    fixed: print(FIXED[question]),
    template: print(TEMPLATE[question]),
    file: '',
    endpointId: '',
    model: '',
    maxTokens: '',
    seconds: '5',
    then: undefined,
    review: false,
  }
  switch (rule?.kind) {
    case 'fixed':
      return { ...empty, fixed: print(rule.result) }
    case 'template':
      return { ...empty, template: print(rule.template), review: rule.review === true }
    case 'script':
      return { ...empty, file: rule.file, review: rule.review === true }
    case 'model': {
      const { endpointId, model = '', maxTokens, review = false } = rule
      return { ...empty, endpointId, model, maxTokens: maxTokens === undefined ? '' : `${maxTokens}`, review }
    }
    case 'wait':
      return { ...empty, seconds: `${rule.ms / 1_000}`, then: ruleForm(question, rule.then) }
    default:
      return empty
  }
}

/** The rule of a form; undefined for none. */
export function ruleOf(form: RuleForm): Parsed<ResponderRule | undefined> {
  const review = form.review ? { review: true } : {}
  switch (form.kind) {
    case 'unset':
      return { ok: true, value: undefined }
    case 'fixed': {
      const result = readObject(form.fixed)
      return result.ok ? { ok: true, value: { kind: 'fixed', result: result.value } } : result
    }
    case 'template': {
      const template = readObject(form.template)
      return template.ok
        ? { ok: true, value: { kind: 'template', template: template.value, ...review } }
        : template
    }
    case 'script':
      if (form.file.trim() === '') return { ok: false, reason: inboxText.ruleForm.pathMissing }
      return { ok: true, value: { kind: 'script', file: form.file.trim(), ...review } }
    case 'model': {
      if (form.endpointId === '') return { ok: false, reason: inboxText.ruleForm.endpointMissing }
      const tokens = Number(form.maxTokens)
      if (form.maxTokens.trim() !== '' && !(Number.isInteger(tokens) && tokens > 0))
        return { ok: false, reason: inboxText.ruleForm.invalidTokens }
      return {
        ok: true,
        value: {
          kind: 'model',
          endpointId: form.endpointId,
          ...(form.model.trim() !== '' && { model: form.model.trim() }),
          ...(form.maxTokens.trim() !== '' && { maxTokens: tokens }),
          ...review,
        },
      }
    }
    case 'wait': {
      const ms = Math.round(Number(form.seconds) * 1_000)
      if (form.seconds.trim() === '' || !(ms >= 0))
        return { ok: false, reason: inboxText.ruleForm.invalidSeconds }
      const then = form.then === undefined ? undefined : ruleOf(form.then)
      if (then?.ok === false) return then
      return { ok: true, value: { kind: 'wait', ms, then: then?.value ?? { kind: 'people' } } }
    }
    default:
      return { ok: true, value: { kind: form.kind } }
  }
}

function readObject(text: string): Parsed<JsonObject> {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value)
      ? { ok: true, value }
      : { ok: false, reason: inboxText.ruleForm.expectedAJsonObject }
  } catch (error) {
    return { ok: false, reason: inboxText.ruleForm.unfinishedJson(messageOf(error)) }
  }
}
