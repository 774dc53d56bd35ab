import type { parser } from '@lezer/javascript'

/** A node of the syntax tree of a module. */
export type SyntaxNode = ReturnType<typeof parser.parse>['topNode']
