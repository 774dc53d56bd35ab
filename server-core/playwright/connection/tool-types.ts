import type { JsonObject } from '../../protocol/json.ts'

declare const TOOL_TYPES: unique symbol

declare global {
  /**
   * The tools of the server under test, by name, each with its `arguments` and `result`. `patchbay types -- COMMAND` writes
   * a declaration that fills it; while it is empty, tools of any name are called with any arguments.
   */
  interface McpTools {
    readonly [TOOL_TYPES]?: never
  }
}

type Declared = Extract<keyof McpTools, string>

/** The names that `callTool` takes. */
export type ToolName = [Declared] extends [never] ? string : Declared

type Member<Name extends string, Key extends string, Otherwise> = Name extends keyof McpTools
  ? McpTools[Name] extends { readonly [K in Key]: infer Value }
    ? Value
    : Otherwise
  : Otherwise

/** The arguments of a tool. */
export type ToolArguments<Name extends string> = Member<Name, 'arguments', JsonObject>

/** The structured result of a tool. */
export type ToolOutput<Name extends string> = Member<Name, 'result', unknown>

/** The parameters of `callTool` after the name: arguments may be left out where none is required. */
export type ToolParameters<Name extends string, Options> =
  Record<string, never> extends ToolArguments<Name>
    ? [args?: ToolArguments<Name>, options?: Options]
    : [args: ToolArguments<Name>, options?: Options]
