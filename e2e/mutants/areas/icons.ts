import type { DrivenClient } from '../../../server-core/conformance/exam/client-driver.ts'
import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { replaceSteps } from '../replace-steps.ts'

/** Lets a client look at the icons of the tools that it lists. */
function withIcons(client: DrivenClient, look: (url: string) => Promise<unknown>): DrivenClient {
  return replaceSteps(client, async (asked, step) => {
    const outcome = await step(asked)
    if (asked.type !== 'list' || asked.list !== 'tools' || outcome.type !== 'done') return outcome
    const tools: unknown[] = Array.isArray(outcome.value) ? outcome.value : []
    const icons = tools.flatMap((tool) =>
      isJsonObject(tool) && Array.isArray(tool['icons']) ? (tool['icons'] as unknown[]) : [],
    )
    const sources = icons.filter(isJsonObject).map(({ src }) => String(src))
    await Promise.all(sources.filter((src) => src.startsWith('http:')).map((src) => look(src)))
    return outcome
  })
}

/** The mutants of the area `icons`. */
export const ICONS_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.icons.client.schemes',
      side: 'client',
      fault: {
        driver: (client) =>
          withIcons(client, (url) =>
            fetch(url, { headers: { authorization: 'Bearer session' }, redirect: 'manual' }).then(
              (response) => response.arrayBuffer(),
            ),
          ),
      },
    },
    {
      id: 'm.icons.client.hostile',
      side: 'client',
      fault: {
        driver: (client) =>
          withIcons(client, async (url) => {
            const text = await (await fetch(url, { redirect: 'manual' })).text()
            const [, inside] = /href="([^"]+)"/.exec(text) ?? []
            if (inside !== undefined) await (await fetch(inside)).text()
          }),
      },
    },
  ],
}
