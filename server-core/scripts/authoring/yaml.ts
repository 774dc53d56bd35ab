/**
 * What scripts import as 'patchbay/yaml', for workspaces that keep their data in YAML: the product's own copy, loaded
 * by those scripts only that ask for it.
 */
export { parse, parseDocument, stringify } from 'yaml'
