import type { TapRule } from '../../server-core/host/contract/taps.ts'
import { tapText } from './text.ts'

/** Actions that the form offers; all others are written as JSON. */
export const FORM_ACTIONS = ['hold', 'delay', 'drop', 'duplicate', 'pass'] as const
export type FormAction = (typeof FORM_ACTIONS)[number]

/** What a rule matches, in a few words. */
export function matchText({ match }: TapRule): string {
  const { kind, method, target, path, pattern, after, times, probability } = match
  const words = [
    kind,
    method,
    target,
    path?.pointer,
    pattern === undefined ? undefined : `/${pattern}/`,
    after === undefined ? undefined : `after ${after}`,
    times === undefined ? undefined : `${times} times`,
    probability === undefined ? undefined : `${Math.round(probability * 100)} %`,
  ]
  const text = words.filter((word) => word !== undefined).join(' ')
  return text === '' ? tapText.rulesPanel.anything : text
}

/** What a rule does, in a few words. */
export function actionText({ action }: TapRule): string {
  switch (action.type) {
    case 'hold':
      return `hold ${action.seconds} s`
    case 'delay':
      return `delay ${action.ms} ms`
    case 'duplicate':
      return `send ${action.copies} times`
    case 'fault':
      return `fault ${action.how}`
    default:
      return action.type
  }
}

/** A rule made in the form. */
export function ruleOf(
  rules: readonly TapRule[],
  form: {
    readonly direction: 'to-server' | 'to-client' | 'both'
    readonly method: string
    readonly target: string
    readonly action: FormAction
  },
): TapRule {
  const { direction, method, target, action } = form
  return {
    id: freeId(rules, action),
    enabled: true,
    match: {
      ...(direction !== 'both' && { direction }),
      ...(method.trim() !== '' && { method: method.trim() }),
      ...(target.trim() !== '' && { target: target.trim() }),
    },
    action: actionOf(action),
  }
}

function actionOf(type: FormAction): TapRule['action'] {
  switch (type) {
    case 'hold':
      return { type, seconds: 60, afterwards: 'forward' }
    case 'delay':
      return { type, ms: 1_000, jitterMs: 0 }
    case 'duplicate':
      return { type, copies: 2 }
    case 'drop':
    case 'pass':
      return { type }
  }
}

function freeId(rules: readonly TapRule[], start: string): string {
  for (let number = 1; ; number += 1) {
    const id = `${start} ${number}`
    if (!rules.some((rule) => rule.id === id)) return id
  }
}
