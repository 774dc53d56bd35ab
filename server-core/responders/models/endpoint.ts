import { z } from 'zod'

const share = z.number().min(0).max(1)

/** A model of an endpoint, and how good it is at what a server may prefer: 1 is cheapest, fastest, most capable. */
const modelSchema = z.object({
  name: z.string().min(1),
  cost: share.optional(),
  speed: share.optional(),
  intelligence: share.optional(),
})

/** An HTTP API that answers for a language model. Its key is in the secret store, never here. */
export const modelEndpointSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: z.string().min(1).max(120),
  /** `openai`: POST …/chat/completions; `anthropic`: POST …/v1/messages. */
  api: z.enum(['openai', 'anthropic']),
  /**
   * Where the API begins: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`, `https://api.anthropic.com`. Its
   * host may be anywhere, because the user named it.
   */
  url: z.string().min(1).max(2_000),
  /** The first is taken when no hint of the server fits another. */
  models: z.array(modelSchema).min(1).max(200),
  /** The member in which newer models of OpenAI expect the limit of an answer; `max_tokens` if not given. */
  tokenLimitName: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  /** Milliseconds for an answer; 120,000. */
  timeoutMs: z.number().int().min(1).max(3_600_000).optional(),
})
export type ModelEndpoint = z.infer<typeof modelEndpointSchema>
