import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The page as static files. The host (or the shell) serves them with a strict content security policy and puts
 * a nonce in the place of `__CSP_NONCE__`; so nothing here may be inline but styles that carry that nonce.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react()],
  // Modules, so that a worker loads what it seldom needs when it needs it.
  worker: { format: 'es' },
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    // Every one of these knows `light-dark()` and nesting, so the style sheets stay as they are written.
    target: ['chrome125', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      output: {
        // In one chunk with zod, its configuration takes effect before any other chunk creates a schema.
        codeSplitting: {
          groups: [{ name: 'zod', test: /node_modules\/zod\/|renderer\/csp\/zod-jitless/ }],
        },
      },
    },
  },
})
