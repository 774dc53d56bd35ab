import type { Operation, Parameter } from './operation.ts'

/** Under which names an operation's parameters and body are arguments. */
export type ArgumentNames = {
  readonly parameters: readonly (readonly [string, Parameter])[]
  readonly body: string | undefined
}

/** If two parameters have the same name, those outside of the path get their place as a prefix. */
export function argumentNames({ parameters, body }: Operation): ArgumentNames {
  const taken = new Set<string>()
  const fresh = (wanted: string): string => {
    let name = wanted
    for (let at = 2; taken.has(name); at += 1) name = `${wanted}_${at}`
    taken.add(name)
    return name
  }
  const inPathFirst = parameters.toSorted((a, b) => Number(b.in === 'path') - Number(a.in === 'path'))
  const named = inPathFirst.map((parameter): readonly [string, Parameter] => [
    fresh(taken.has(parameter.name) ? `${parameter.name}_${parameter.in}` : parameter.name),
    parameter,
  ])
  return { parameters: named, body: body === undefined ? undefined : fresh('body') }
}
