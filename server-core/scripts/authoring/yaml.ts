/**
 * What scripts import as 'patchbay/yaml', for workspaces that keep their data in YAML: the product's own copy, bundled
 * only into scripts that ask for it.
 */
export { parse, parseDocument, stringify } from 'yaml'
