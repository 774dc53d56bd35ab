import { entryKey } from '../sources/compose.ts'
import type { Prefix } from '../sources/prefix.ts'
import type { AnswerParts } from '../mocks/answer-call.ts'
import { LastResults, overridden, Overrides } from '../mocks/override-view.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { Answering, CallLog } from './call-log.ts'
import { CountedView } from './counted-view.ts'

/** Puts around the views of all sources what is the workspace's own: answers in their place, and counting of them too. */
export class AnsweredViews {
  readonly overrides = new Overrides()
  /** What tools really gave last. */
  readonly last = new LastResults()
  readonly #calls: CallLog
  readonly #answers: AnswerParts

  constructor(calls: CallLog, answers: AnswerParts) {
    this.#calls = calls
    this.#answers = answers
  }

  /** `prefix` is that of the source, `answering` who answers where no override does. */
  of(view: RegistryView, prefix: Prefix | undefined, answering?: () => Answering): RegistryView {
    const named = (name: string) => prefix?.name(name) ?? name
    const answered = overridden({
      view,
      keyOf: (name) => entryKey('tool', named(name)),
      overrides: this.overrides,
      parts: this.#answers,
      last: this.last,
    })
    return new CountedView(answered, (kind, name, args, invocation) => {
      const isUri = kind === 'resource' || kind === 'template'
      const key = entryKey(kind, (isUri ? prefix?.uri(name) : named(name)) ?? name)
      const isOverridden = this.overrides.active(key) !== undefined
      return this.#calls.began(key, name, args, invocation, isOverridden ? undefined : answering?.())
    })
  }
}
