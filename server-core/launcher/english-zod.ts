import type { Plugin } from 'esbuild'

/** Leaves zod's messages in other languages out: 200 KB that nothing but a script could ask for. */
export function englishZod(): Plugin {
  return {
    name: 'english-zod',
    setup(build) {
      build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: "export { default as en } from './en.js'",
        loader: 'js',
      }))
    },
  }
}
