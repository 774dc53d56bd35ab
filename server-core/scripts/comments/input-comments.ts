import { readDocComment, type CommentBefore } from './doc-comment.ts'
import type { SyntaxNode } from './syntax-node.ts'

/** Finds the value of a constant of the module. */
export type Named = (name: string) => SyntaxNode | undefined

/** A module that is read. */
export type Module = {
  readonly source: string
  readonly named: Named
  readonly commentBefore: CommentBefore
}

/** Functions of schema libraries that take the members of an object: `z.object`, `v.strictObject`, `Type.Object`. */
const OBJECT = /^(?:object|strictObject|looseObject|interface|Object)$/
/** How far constants and nested objects are followed. */
const DEEPEST = 8

/**
 * The comments above what a definition takes: members of a tool's input, arguments of a prompt. The input may be a
 * schema of a library, a JSON Schema, or a constant of the same module that is one.
 */
export function inputComments(
  definition: SyntaxNode,
  kind: string,
  module: Module,
): Readonly<Record<string, string>> {
  const reader = new InputReader(module)
  if (kind === 'tool') {
    const input = reader.member(definition, 'input')
    if (input !== undefined) reader.schema(input, '', 0)
  } else if (kind === 'prompt') {
    const args = reader.member(definition, 'arguments')
    if (args !== undefined) reader.prompt(args)
  }
  return reader.found
}

class InputReader {
  readonly found: Record<string, string> = {}
  readonly #module: Module

  constructor(module: Module) {
    this.#module = module
  }

  /** The value of a member of an object literal; of a shorthand, what its name stands for. */
  member(object: SyntaxNode, name: string): SyntaxNode | undefined {
    const property = object.getChildren('Property').find((each) => this.#nameOf(each) === name)
    return property === undefined ? undefined : this.#valueOf(property)
  }

  prompt(given: SyntaxNode): void {
    const list = this.#resolved(given, 0)
    for (const item of list?.name === 'ArrayExpression' ? list.getChildren('ObjectExpression') : []) {
      const value = this.member(item, 'name')
      const name = value?.name === 'String' ? this.#text(value).slice(1, -1) : undefined
      const comment = this.#module.commentBefore(item)
      if (name !== undefined && comment !== undefined) this.#note(name, comment)
    }
  }

  /** Reads the members of a schema, whose path has a dot at its end unless it is the input itself. */
  schema(given: SyntaxNode, path: string, depth: number): void {
    if (depth > DEEPEST) return
    const node = this.#resolved(given, 0)
    if (node?.name === 'CallExpression') this.#call(node, path, depth)
    else if (node?.name === 'ObjectExpression') this.#jsonSchema(node, path, depth)
  }

  /** `z.object({ … })`, `type({ … })`, and what is chained to or wrapped around them. */
  #call(call: SyntaxNode, path: string, depth: number): void {
    const callee = call.firstChild
    const first = call.getChild('ArgList')?.firstChild?.nextSibling ?? undefined
    const name = this.#calledName(callee)
    if (first?.name === 'ObjectExpression' && (OBJECT.test(name) || callee?.name === 'VariableName')) {
      this.#members(first, path, depth)
      return
    }
    // What a method is called on: z.object({ … }).strict()
    const owner = callee?.name === 'MemberExpression' ? callee.firstChild : null
    if (owner?.name === 'CallExpression') this.schema(owner, path, depth + 1)
    else if (first !== undefined) this.schema(first, path, depth + 1)
  }

  #jsonSchema(object: SyntaxNode, path: string, depth: number): void {
    const properties = this.member(object, 'properties')
    const resolved = properties && this.#resolved(properties, 0)
    if (resolved?.name === 'ObjectExpression') this.#members(resolved, path, depth)
    const items = this.member(object, 'items')
    if (items !== undefined) this.schema(items, path, depth + 1)
  }

  #members(object: SyntaxNode, path: string, depth: number): void {
    for (const property of object.getChildren('Property')) {
      const name = this.#nameOf(property)
      if (name === undefined) continue
      const comment = this.#module.commentBefore(property)
      if (comment !== undefined) this.#note(`${path}${name}`, comment)
      const value = this.#valueOf(property)
      if (value !== undefined) this.schema(value, `${path}${name}.`, depth + 1)
    }
  }

  #note(path: string, comment: string): void {
    const { description } = readDocComment(comment)
    if (description !== undefined) this.found[path] = description
  }

  /** Past parentheses, `as`, `satisfies` and `!`; a constant of the module is what it is set to. */
  #resolved(node: SyntaxNode, depth: number): SyntaxNode | undefined {
    switch (node.name) {
      case 'VariableName': {
        const value = depth > DEEPEST ? undefined : this.#module.named(this.#text(node))
        return value && this.#resolved(value, depth + 1)
      }
      case 'ParenthesizedExpression': {
        const inner = node.firstChild?.nextSibling
        return inner ? this.#resolved(inner, depth) : undefined
      }
      case 'BinaryExpression':
      case 'PostfixExpression':
        return node.firstChild ? this.#resolved(node.firstChild, depth) : undefined
      default:
        return node
    }
  }

  #calledName(callee: SyntaxNode | null): string {
    const last = callee?.name === 'MemberExpression' ? callee.lastChild : callee
    return last ? this.#text(last) : ''
  }

  #nameOf(property: SyntaxNode): string | undefined {
    const first = property.firstChild
    if (first?.name === 'PropertyDefinition') return this.#text(first)
    return first?.name === 'String' ? this.#text(first).slice(1, -1) : undefined
  }

  #valueOf(property: SyntaxNode): SyntaxNode | undefined {
    const value = property.lastChild
    if (value === null) return undefined
    // A shorthand member is the constant of its name.
    if (value.name === 'PropertyDefinition') return this.#module.named(this.#text(value))
    return value
  }

  #text(node: SyntaxNode): string {
    return this.#module.source.slice(node.from, node.to)
  }
}
