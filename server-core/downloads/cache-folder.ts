import envPaths from 'env-paths'

/** The folder for what can be fetched or made again. */
export function cacheFolder(): string {
  return envPaths('patchbay', { suffix: '' }).cache
}
