import path from 'node:path'
import ts from 'typescript'

const root = path.resolve(import.meta.dirname, '..')

/** The entry points of the package: its subpath → the file in `api/`. */
export const ENTRY_POINTS = {
  patchbay: 'authoring',
  'patchbay/client': 'client',
  'patchbay/server': 'server',
  'patchbay/protocol': 'protocol',
  'patchbay/memory': 'memory',
  'patchbay/test': 'test',
  'patchbay/reporter': 'reporter',
  'patchbay/yaml': 'yaml',
} as const
export type EntryPoint = keyof typeof ENTRY_POINTS

/** An export of an entry point, at the declaration that it stands for. */
export type PublicExport = {
  readonly name: string
  /** Whether it exists at run time. */
  readonly isValue: boolean
  /** Whether a package declares it, not this repository. */
  readonly isForeign: boolean
  readonly documentation: string
  /** Code blocks of its `@example` tags, without the fences. */
  readonly examples: readonly string[]
  /** Its declarations without bodies and comments. */
  readonly signature: string
}

/** Reads the exports of every entry point, sorted by name. */
export function readPublicExports(): ReadonlyMap<EntryPoint, readonly PublicExport[]> {
  const files = Object.entries(ENTRY_POINTS).map(
    ([entry, file]) => [entry as EntryPoint, path.join(root, 'api', `${file}.ts`)] as const,
  )
  const program = ts.createProgram(
    files.map(([, file]) => file),
    {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      types: ['node'],
    },
  )
  const checker = program.getTypeChecker()
  return new Map(files.map(([entry, file]) => [entry, exportsOf(program, checker, file)]))
}

function exportsOf(program: ts.Program, checker: ts.TypeChecker, file: string): readonly PublicExport[] {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} is not a module`)
  return checker
    .getExportsOfModule(module)
    .map((symbol) => publicExport(checker, symbol))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

function publicExport(checker: ts.TypeChecker, exported: ts.Symbol): PublicExport {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const declarations = symbol.declarations ?? []
  return {
    name: exported.name,
    isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(exported),
    isForeign: declarations.every((one) => one.getSourceFile().fileName.includes('/node_modules/')),
    documentation: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    examples: symbol
      .getJsDocTags(checker)
      .filter(({ name }) => name === 'example')
      .map(({ text }) => codeIn(ts.displayPartsToString(text))),
    signature: declarations.map((one) => signatureOf(checker, one)).join('\n'),
  }
}

/** Whether `export type` hides its value. */
function isTypeOnly(exported: ts.Symbol): boolean {
  return (exported.declarations ?? []).some((one) => ts.isTypeOnlyExportDeclaration(one))
}

function codeIn(text: string): string {
  return text.replace(/^\s*```ts\n/, '').replace(/\n```\s*$/, '')
}

function signatureOf(checker: ts.TypeChecker, node: ts.Declaration): string {
  if (node.getSourceFile().fileName.includes('/node_modules/')) return '// declared by a package'
  if (ts.isFunctionDeclaration(node)) return withoutComments(textBefore(node, node.body))
  if (ts.isClassDeclaration(node)) return classSignature(node)
  if (ts.isVariableDeclaration(node)) {
    const type = checker.typeToString(checker.getTypeAtLocation(node), node, ts.TypeFormatFlags.NoTruncation)
    return `export const ${node.name.getText()}: ${type}`
  }
  return withoutComments(node.getText())
}

function classSignature(node: ts.ClassDeclaration): string {
  const head = withoutComments(node.getText().slice(0, node.members.pos - node.getStart()))
  const members = node.members.filter(isPublic).map((member) => `  ${memberSignature(member)}`)
  return [head.trimEnd(), ...members, '}'].join('\n')
}

function isPublic(member: ts.ClassElement): boolean {
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return false
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  return (ts.getCombinedModifierFlags(member) & hidden) === 0
}

function memberSignature(member: ts.ClassElement): string {
  if (ts.isPropertyDeclaration(member))
    return withoutComments(textBefore(member, member.initializer)).replace(/\s*=$/, '')
  const body = 'body' in member ? (member.body as ts.Node | undefined) : undefined
  return withoutComments(textBefore(member, body))
}

/** The text of a node up to one of its children. */
function textBefore(node: ts.Node, child: ts.Node | undefined): string {
  const text = node.getText()
  return (child === undefined ? text : text.slice(0, child.getStart() - node.getStart())).trimEnd()
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/\n\s*\n/g, '\n')
    .trim()
}
