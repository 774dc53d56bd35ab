import type { ResponderRule, RuleKind } from '../../server-core/host/contract/responders.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
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

/** The rule of a form, undefined for none, or the reason why there is none. */
export function ruleOf(form: RuleForm): { readonly rule: ResponderRule | undefined } | string {
  const review = form.review ? { review: true } : {}
  switch (form.kind) {
    case 'unset':
      return { rule: undefined }
    case 'fixed': {
      const result = readObject(form.fixed)
      return typeof result === 'string' ? result : { rule: { kind: 'fixed', result } }
    }
    case 'template': {
      const template = readObject(form.template)
      return typeof template === 'string' ? template : { rule: { kind: 'template', template, ...review } }
    }
    case 'script':
      if (form.file.trim() === '') return inboxText.ruleForm.enterThePathOfAScript
      return { rule: { kind: 'script', file: form.file.trim(), ...review } }
    case 'model': {
      if (form.endpointId === '') return inboxText.ruleForm.chooseAnEndpointAddOneBelow
      const tokens = Number(form.maxTokens)
      if (form.maxTokens.trim() !== '' && !(Number.isInteger(tokens) && tokens > 0))
        return inboxText.ruleForm.enterANumberOfTokensOr
      return {
        rule: {
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
      if (form.seconds.trim() === '' || !(ms >= 0)) return inboxText.ruleForm.enterHowManySecondsItWaits
      const then = form.then === undefined ? { rule: { kind: 'people' as const } } : ruleOf(form.then)
      if (typeof then === 'string') return then
      return { rule: { kind: 'wait', ms, then: then.rule ?? { kind: 'people' } } }
    }
    default:
      return { rule: { kind: form.kind } }
  }
}

function readObject(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : inboxText.ruleForm.expectedAJsonObject
  } catch (error) {
    return inboxText.ruleForm.theJsonIsNotFinished(messageOf(error))
  }
}
