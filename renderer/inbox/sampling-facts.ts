import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'

/** The models that a server would like, best first. */
export function modelHints({ modelPreferences }: JsonObject): readonly string[] {
  const hints = isJsonObject(modelPreferences) ? modelPreferences['hints'] : undefined
  if (!Array.isArray(hints)) return []
  return (hints as unknown[]).flatMap((hint) =>
    isJsonObject(hint) && typeof hint['name'] === 'string' ? [hint['name']] : [],
  )
}

const PRIORITIES = [
  ['costPriority', 'cost'],
  ['speedPriority', 'speed'],
  ['intelligencePriority', 'intelligence'],
] as const

/** What else a server says about how the model is to answer, each in a few words. */
export function samplingFacts(params: JsonObject): readonly string[] {
  const { maxTokens, temperature, stopSequences, includeContext, modelPreferences, toolChoice } = params
  const preferences = isJsonObject(modelPreferences) ? modelPreferences : {}
  return [
    ...(typeof maxTokens === 'number' ? [`at most ${maxTokens} tokens`] : []),
    ...(typeof temperature === 'number' ? [`temperature ${temperature}`] : []),
    ...(Array.isArray(stopSequences) && stopSequences.length > 0
      ? [`stops at ${JSON.stringify(stopSequences)}`]
      : []),
    ...(typeof includeContext === 'string' && includeContext !== 'none'
      ? [`context: ${includeContext}`]
      : []),
    ...(isJsonObject(toolChoice) ? [`tool choice: ${JSON.stringify(toolChoice['mode'] ?? toolChoice)}`] : []),
    ...PRIORITIES.flatMap(([member, word]) =>
      typeof preferences[member] === 'number' ? [`${word} ${preferences[member]}`] : [],
    ),
  ]
}
