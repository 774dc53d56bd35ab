/** The name of the npm package. `patchbay` on npm belongs to an unrelated project. */
export const PACKAGE_NAME = 'mcp-patchbay'
