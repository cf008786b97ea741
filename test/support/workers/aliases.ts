import { join } from 'node:path'

/** The alias of Vite for modules of the server: to bundled scripts, and to threads that are used again. */
export const SCRIPT_ALIASES = ['worker-url.ts', 'start-thread.ts'].map((name) => ({
  find: new RegExp(`^(\\.\\.?/)+(threads/)?${name.replace('.', '\\.')}$`),
  replacement: join(import.meta.dirname, name),
}))
