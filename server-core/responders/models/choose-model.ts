import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { ModelEndpoint } from './endpoint.ts'

type Model = ModelEndpoint['models'][number]

const PRIORITIES = [
  ['costPriority', 'cost'],
  ['speedPriority', 'speed'],
  ['intelligencePriority', 'intelligence'],
] as const

/**
 * The model of an endpoint that a server's preferences mean (client features: sampling, model preferences): the first
 * whose name holds a hint, the hints in their order; else the best by the priorities, among models that were rated;
 * else the endpoint's first.
 */
export function chooseModel({ models }: ModelEndpoint, params: JsonObject): string {
  const preferences = isJsonObject(params['modelPreferences']) ? params['modelPreferences'] : {}
  return (hinted(models, preferences) ?? rated(models, preferences) ?? models[0])?.name ?? ''
}

function hinted(models: readonly Model[], { hints }: JsonObject): Model | undefined {
  for (const hint of Array.isArray(hints) ? hints : []) {
    const name: unknown = isJsonObject(hint) ? hint['name'] : undefined
    if (typeof name !== 'string' || name === '') continue
    const found = models.find((model) => model.name.toLowerCase().includes(name.toLowerCase()))
    if (found !== undefined) return found
  }
  return undefined
}

function rated(models: readonly Model[], preferences: JsonObject): Model | undefined {
  let best: { readonly model: Model; readonly score: number } | undefined
  for (const model of models) {
    let score: number | undefined
    for (const [priority, rating] of PRIORITIES) {
      const [weight, value] = [preferences[priority], model[rating]]
      if (typeof weight === 'number' && value !== undefined) score = (score ?? 0) + weight * value
    }
    if (score !== undefined && (best === undefined || score > best.score)) best = { model, score }
  }
  return best?.model
}
