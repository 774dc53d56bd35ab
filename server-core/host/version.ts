import packageFile from '../../package.json' with { type: 'json' }

/** The version of this Patchbay. */
export const productVersion: string = packageFile.version
