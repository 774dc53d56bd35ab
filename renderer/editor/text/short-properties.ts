import { javascriptLanguage, tsxLanguage, typescriptLanguage } from '@codemirror/lang-javascript'

type Tree = ReturnType<(typeof typescriptLanguage)['parser']['parse']>
type SyntaxNode = ReturnType<Tree['resolveInner']>

/** What a name in a script stands for: `both` in `{ city }`, which is a property and a variable in one. */
export type NameKind = 'property' | 'variable' | 'both'

/**
 * Where names of a script are short for a property and its value. The language server renames what is there without
 * a look at the other half, so `{ city }` has to become `{ city: town }` or `{ town: city }`.
 */
export class ShortProperties {
  readonly #tree: Tree

  /** @param file says which language it is */
  constructor(file: string, text: string) {
    const language = /\.[jt]sx$/.test(file)
      ? tsxLanguage
      : /\.[cm]?ts$/.test(file)
        ? typescriptLanguage
        : javascriptLanguage
    this.#tree = language.parser.parse(text)
  }

  kindAt(position: number): NameKind {
    const node = this.#tree.resolveInner(position, 1)
    if (isShort(node)) return 'both'
    return node.name.startsWith('Property') || node.name.startsWith('PrivateProperty')
      ? 'property'
      : 'variable'
  }

  /** What has to be put in at a place where `before`, which is of that kind, is called `after` from now on. */
  renamed(position: number, before: string, after: string, kind: NameKind): string {
    if (!isShort(this.#tree.resolveInner(position, 1))) return after
    return kind === 'property' ? `${after}: ${before}` : `${before}: ${after}`
  }
}

function isShort({ parent, from, to }: SyntaxNode): boolean {
  if (parent?.name !== 'Property' && parent?.name !== 'PatternProperty') return false
  const { firstChild } = parent
  // A value that is given for what is missing comes behind the name: `{ city = 'Oslo' }`.
  return firstChild?.from === from && firstChild.to === to && parent.getChild(':') === null
}
