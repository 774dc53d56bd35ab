/** What the configuration of a workspace may be called; the first that is there is it. */
export const CONFIG_FILES: readonly string[] = ['ts', 'mts', 'js', 'mjs'].map(
  (extension) => `patchbay.config.${extension}`,
)

/** Whether a file, by its path from the folder of the workspace, is its configuration. */
export function isConfigFile(file: string): boolean {
  return CONFIG_FILES.includes(file)
}
