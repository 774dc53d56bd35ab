import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Characters of a part, at most. */
export const PART_LENGTH = 1_000_000

const part = z.string().max(PART_LENGTH).exactOptional()

/** What the window shows of a workspace: JSON texts that the page writes and parses. */
export const windowPartsSchema = z.object({
  /** Open tabs, what is typed in them, and the selected server. */
  tabs: part,
  /** The filter and the selected row of the timeline, whether it follows, and which page is shown. */
  timeline: part,
  /** The files that are open in the editor. */
  files: part,
})
export type WindowParts = z.infer<typeof windowPartsSchema>
export type WindowPart = keyof WindowParts

/** The state of the window, stored for each workspace. */
export const windowStateContract = {
  load: oc.output(windowPartsSchema),
  /** Replaces the parts that are named. Stored secrets are left out of what is written. */
  save: oc.input(windowPartsSchema).output(z.object({ saved: z.literal(true) })),
  /** Keeps a copy of the stored state, a part of which the page cannot read. */
  setAside: oc.output(z.object({ keptAs: z.string() })),
}
