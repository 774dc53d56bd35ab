import type { JsonObject } from '../protocol/json.ts'

/**
 * Returns the mock entries of a workspace's `patchbay.json`: the member `mocks`, or `handmade`, its name before version
 * 0.2, which is still read. `undefined` if the document has neither.
 */
export function mocksMember(document: JsonObject): unknown {
  return document['mocks'] ?? document['handmade']
}
