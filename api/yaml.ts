/** Entry point `patchbay/yaml`: the YAML reader and writer of the package `yaml`, for scripts. */
export { parse, parseDocument, stringify } from '../server-core/scripts/authoring/yaml.ts'
