import {
  backtracks,
  linearPattern,
  type Pattern,
} from '../../../server-core/protocol/patterns/linear-pattern.ts'

const MAX_COMPILED = 1_000

/**
 * Has the validator test patterns that backtrack with the linear engine. It calls `RegExp.prototype.test` and offers no
 * place for another engine, so this replaces that method: only in a worker that does nothing but check.
 */
export function matchInLinearTime(): void {
  const compiled = new Map<string, Pattern | undefined>()
  RegExp.prototype.test = function (this: RegExp, text: string): boolean {
    // Patterns of schemas have this flag and no other; expressions of the code around them are left alone.
    if (this.flags !== 'u') return this.exec(text) !== null
    const { source } = this
    if (!compiled.has(source)) {
      if (compiled.size >= MAX_COMPILED) compiled.clear()
      compiled.set(source, undefined)
      compiled.set(source, backtracks(source) ? linearPattern(source) : undefined)
    }
    return compiled.get(source)?.test(text) ?? this.exec(text) !== null
  }
}
