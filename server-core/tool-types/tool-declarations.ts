import type { JsonObject } from '../protocol/json.ts'
import { docComment, typeOfSchema } from './type-of-schema.ts'

const INDENT = '    '

/** Returns a declaration file with the types of these tools, in the order of their names. */
export function toolDeclarations(tools: readonly JsonObject[], command: string): string {
  const sorted = tools.toSorted((one, other) => (String(one['name']) < String(other['name']) ? -1 : 1))
  return [
    `// Written by "${command.replaceAll(/[\r\n]/g, ' ')}". Run it again when the tools change.`,
    'export {}',
    '',
    'declare global {',
    '  interface McpTools {',
    ...sorted.map(tool),
    '  }',
    '}',
    '',
  ].join('\n')
}

function tool({ name, description, inputSchema, outputSchema }: JsonObject): string {
  const result = outputSchema === undefined ? 'unknown' : typeOfSchema(outputSchema, `${INDENT}  `)
  return [
    `${docComment(description, INDENT)}${INDENT}readonly ${JSON.stringify(name)}: {`,
    `${INDENT}  readonly arguments: ${typeOfSchema(inputSchema, `${INDENT}  `)}`,
    `${INDENT}  readonly result: ${result}`,
    `${INDENT}}`,
  ].join('\n')
}
