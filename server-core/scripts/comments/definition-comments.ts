import { PACKAGE_NAME } from '../../product/package-name.ts'
import { parser } from '@lezer/javascript'
import { docComments, readDocComment, type CommentBefore } from './doc-comment.ts'
import { inputComments, type Module, type Named } from './input-comments.ts'
import type { SyntaxNode } from './syntax-node.ts'

/** The names by which scripts import what definitions are made with. */
const AUTHORING: ReadonlySet<string> = new Set(['patchbay', PACKAGE_NAME])

/** What the comments of a module say of one definition in it: a call of `tool`, `resource`, `template` or `prompt`. */
export type DefinitionComment = {
  /** The position of the name of the called function. Both count from 1; columns in UTF-16 code units. */
  readonly line: number
  readonly column: number
  readonly endColumn: number
  readonly description?: string
  /** Descriptions of arguments by their names, those of nested objects with dots. */
  readonly arguments?: Readonly<Record<string, string>>
}

const MAKERS: ReadonlySet<string> = new Set(['tool', 'resource', 'template', 'prompt'])

/**
 * Reads the doc comments of the definitions in a module: those above a definition (or above the statement, the list item
 * or the export that it is in) and those above the members of its input.
 *
 * @param extension of the file, with its dot
 */
export function definitionComments(source: string, extension: string): readonly DefinitionComment[] {
  const typed = /^\.[mc]?tsx?$/.test(extension)
  const dialect = [...(typed ? ['ts'] : []), ...(/x$/.test(extension) || !typed ? ['jsx'] : [])].join(' ')
  const { topNode } = parser.configure({ dialect }).parse(source)
  const imported = importsOf(topNode, source)
  if (imported.functions.size + imported.modules.size === 0) return []
  const module: Module = {
    source,
    named: constantsOf(topNode, source),
    commentBefore: docComments(topNode, source),
  }
  const found: DefinitionComment[] = []
  topNode.cursor().iterate(({ name, node }) => {
    if (name !== 'CallExpression') return
    const callee = calleeOf(node)
    const kind = callee && kindOf(callee, source, imported)
    if (callee !== undefined && kind !== undefined) {
      const comment = commentOf(node, callee, kind, module)
      if (comment !== undefined) found.push(comment)
    }
  })
  return found
}

type Imports = {
  /** Local names of the functions that make definitions, with the names that they are exported by. */
  readonly functions: ReadonlyMap<string, string>
  /** Local names of the whole module. */
  readonly modules: ReadonlySet<string>
}

function importsOf(root: SyntaxNode, source: string): Imports {
  const functions = new Map<string, string>()
  const modules = new Set<string>()
  for (const declaration of root.getChildren('ImportDeclaration')) {
    const from = declaration.getChild('String')
    if (from === null || !AUTHORING.has(source.slice(from.from + 1, from.to - 1))) continue
    const whole = declaration.getChild('Star') && declaration.getChild('VariableDefinition')
    if (whole) modules.add(text(whole, source))
    for (const local of declaration.getChild('ImportGroup')?.getChildren('VariableDefinition') ?? []) {
      const before = local.prevSibling
      const renamed = before?.name === 'as' ? before.prevSibling : null
      const exported = text(renamed ?? local, source)
      if (MAKERS.has(exported)) functions.set(text(local, source), exported)
    }
  }
  return { functions, modules }
}

/** The values of the module's own constants, by name. */
function constantsOf(root: SyntaxNode, source: string): Named {
  const named = new Map<string, SyntaxNode>()
  const declarations = [
    ...root.getChildren('VariableDeclaration'),
    ...root.getChildren('ExportDeclaration').flatMap((each) => each.getChildren('VariableDeclaration')),
  ]
  for (const declaration of declarations) {
    for (const definition of declaration.getChildren('VariableDefinition')) {
      const value = valueOf(definition)
      if (value !== undefined) named.set(text(definition, source), value)
    }
  }
  return (name) => named.get(name)
}

/** What a variable is set to, past its type. */
function valueOf(definition: SyntaxNode): SyntaxNode | undefined {
  for (let next = definition.nextSibling; next !== null && next.name !== ','; next = next.nextSibling) {
    if (next.name === 'Equals') return next.nextSibling ?? undefined
  }
  return undefined
}

/** What is called, past its type arguments. */
function calleeOf(call: SyntaxNode): SyntaxNode | undefined {
  const callee = call.firstChild
  return (callee?.name === 'InstantiationExpression' ? callee.firstChild : callee) ?? undefined
}

function kindOf(callee: SyntaxNode, source: string, { functions, modules }: Imports): string | undefined {
  if (callee.name === 'VariableName') return functions.get(text(callee, source))
  if (callee.name !== 'MemberExpression') return undefined
  const [owner, member] = [callee.firstChild, callee.lastChild]
  const isOurs = owner?.name === 'VariableName' && modules.has(text(owner, source))
  const name = isOurs && member ? text(member, source) : ''
  return MAKERS.has(name) ? name : undefined
}

function commentOf(
  call: SyntaxNode,
  callee: SyntaxNode,
  kind: string,
  module: Module,
): DefinitionComment | undefined {
  const { source } = module
  const above = commentAbove(call, module.commentBefore)
  const { description, parameters } = above === undefined ? {} : readDocComment(above)
  const definition = call.getChild('ArgList')?.getChild('ObjectExpression') ?? undefined
  const ofInput = definition === undefined ? {} : inputComments(definition, kind, module)
  const args = { ...parameters, ...ofInput }
  if (description === undefined && Object.keys(args).length === 0) return undefined
  const line = source.slice(0, callee.from).split('\n').length
  const column = callee.from - (source.lastIndexOf('\n', callee.from - 1) + 1) + 1
  return {
    line,
    column,
    endColumn: column + (callee.to - callee.from),
    ...(description === undefined ? {} : { description }),
    ...(Object.keys(args).length === 0 ? {} : { arguments: args }),
  }
}

/** Around a definition, whose comment is then its own. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'BinaryExpression',
  'ParenthesizedExpression',
  'VariableDeclaration',
  'ExportDeclaration',
  'ExpressionStatement',
])

/** The text of the doc comment of a definition: above itself, or above what has nothing else in it. */
function commentAbove(call: SyntaxNode, commentBefore: CommentBefore): string | undefined {
  let node = call
  for (;;) {
    const own = commentBefore(node)
    if (own !== undefined) return own
    const parent = node.parent
    if (parent === null || !WRAPPERS.has(parent.name)) return undefined
    if (parent.name === 'VariableDeclaration') {
      // Of several variables in one statement, a comment above it is of the first.
      const [first] = parent.getChildren('VariableDefinition')
      const definition = precedingDefinition(node)
      const inside = definition && commentBefore(definition)
      if (inside !== undefined) return inside
      if (definition?.from !== first?.from) return undefined
    }
    node = parent
  }
}

function precedingDefinition(value: SyntaxNode): SyntaxNode | undefined {
  for (let node = value.prevSibling; node !== null; node = node.prevSibling) {
    if (node.name === 'VariableDefinition') return node
  }
  return undefined
}

function text(node: SyntaxNode, source: string): string {
  return source.slice(node.from, node.to)
}
