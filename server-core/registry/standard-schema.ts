import type { Parsed } from '../protocol/parsed.ts'
import { isJsonObject, type JsonSchema } from '../protocol/json.ts'

/** What validation gives: the value, or the issues. */
type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

type StandardIssue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Writes the input or the output of a schema as JSON Schema (Standard JSON Schema 1). */
type StandardConverter = {
  readonly [Side in 'input' | 'output']: (options: { readonly target: string }) => Record<string, unknown>
}

/**
 * A schema of any library that implements Standard Schema 1 (https://standardschema.dev): Valibot, ArkType and others.
 * Declared here, so that nobody needs a package for it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?: StandardConverter
  }
}

/** The input of a Standard Schema. */
export type StandardInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input']
/** The output of a Standard Schema. */
export type StandardOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

/** Converts a schema of a library that leaves this to another package. */
export type JsonSchemaConverter = (schema: StandardSchema, side: 'input' | 'output') => unknown

/** What helps with libraries that need more for it. */
const REMEDIES: Readonly<Record<string, string>> = {
  valibot:
    'Valibot needs the package @valibot/to-json-schema for it: install it beside valibot, or wrap the schema in its toStandardJsonSchema(…)',
  zod: 'zod/mini has no converter: import z from zod',
}
const TARGET = 'draft-2020-12'
const converters = new Map<string, JsonSchemaConverter>()

/** Has schemas of a library (`~standard.vendor`) written as JSON Schema by a converter, where they cannot do it themselves. */
export function useJsonSchemaConverter(vendor: string, convert: JsonSchemaConverter): void {
  converters.set(vendor, convert)
}

/** Whether a value is a schema of the standard, not plain JSON Schema. Those of ArkType are functions. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return false
  const standard: unknown = Reflect.get(schema, '~standard')
  return isJsonObject(standard) && typeof standard['validate'] === 'function'
}

/**
 * The JSON Schema of a Standard Schema, by the library itself or by the converter for it.
 *
 * @throws Error that says what is missing, or why the library cannot express it in JSON Schema
 */
export function standardJsonSchema(schema: StandardSchema, side: 'input' | 'output'): JsonSchema {
  const { vendor, jsonSchema } = schema['~standard']
  const converter = converters.get(vendor)
  const written: unknown = jsonSchema?.[side]({ target: TARGET }) ?? converter?.(schema, side)
  if (isJsonObject(written)) return written
  const remedy =
    REMEDIES[vendor] ??
    `the library "${vendor}" has no converter (~standard.jsonSchema): use a version that has one, or write the schema as JSON Schema`
  throw new Error(remedy)
}

/** Why a value does not fit, by path, one issue after the other; or what the library made of it. */
export async function validateStandard(schema: StandardSchema, value: unknown): Promise<Parsed<unknown>> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return { ok: true, value: result.value }
  return { ok: false, reason: [...result.issues].map(issueText).join('; ') }
}

function issueText({ message, path = [] }: StandardIssue): string {
  const place = [...path].map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
  // Some libraries name the place in the message.
  return place === '' || message.startsWith(place) ? message : `${place}: ${message}`
}
